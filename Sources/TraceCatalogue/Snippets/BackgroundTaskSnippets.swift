// How background tasks are begun and ended.

extension Snippets {
  static let backgroundTask: [String: Snippet] = [
    "LC001": lc001,
    "LC101": lc001,
    "LC102": lc001,
    "LC103": lc103,
    "LC104": lc103,
    "LM08": lc103,
    "LC105": lc105,
    "LM07": lc105,
    "LC106": lc106,
    "LC110": lc106,
    "LC107": lc107,
    "LC108": lc108,
    "LC109": lc109,
  ]

  private static let lc001 = Snippet(
    swift: """
      var task = UIBackgroundTaskIdentifier.invalid

      func beginSaving() {
        task = UIApplication.shared.beginBackgroundTask(withName: "save") { [self] in
          store.cancelSaving()
          endTask()
        }
        store.save { [self] in endTask() }  // on success and on failure
      }

      func endTask() {  // on the main thread, from every path
        guard task != .invalid else { return }
        let ended = task
        task = .invalid
        UIApplication.shared.endBackgroundTask(ended)
      }
      """,
    objectiveC: """
      - (void)beginSaving {
        self.task = [UIApplication.sharedApplication
            beginBackgroundTaskWithName:@"save" expirationHandler:^{
              [self.store cancelSaving];
              [self endTask];
            }];
        [self.store saveWithCompletion:^{ [self endTask]; }];
      }

      - (void)endTask {
        if (self.task == UIBackgroundTaskInvalid) return;
        UIBackgroundTaskIdentifier ended = self.task;
        self.task = UIBackgroundTaskInvalid;
        [UIApplication.sharedApplication endBackgroundTask:ended];
      }
      """)

  private static let lc103 = Snippet(
    swift: """
      task = UIApplication.shared.beginBackgroundTask(withName: "export") { [self] in
        export.cancel()  // sets a flag; no writing, no requests, no new work
        endTask()
      }
      """,
    objectiveC: """
      self.task = [UIApplication.sharedApplication
          beginBackgroundTaskWithName:@"export" expirationHandler:^{
            [self.export cancel];  // sets a flag; no writing, no requests, no new work
            [self endTask];
          }];
      """)

  private static let lc105 = Snippet(
    swift: """
      for piece in pieces {
        try process(piece)
        let remaining = await MainActor.run { UIApplication.shared.backgroundTimeRemaining }
        if remaining < 5 { break }  // the rest: a BGProcessingTask or the next launch
      }
      await MainActor.run { endTask() }
      """,
    objectiveC: """
      for (Piece *piece in pieces) {
        [self process:piece];
        __block NSTimeInterval remaining;
        dispatch_sync(dispatch_get_main_queue(), ^{
          remaining = UIApplication.sharedApplication.backgroundTimeRemaining;
        });
        if (remaining < 5) break;
      }
      dispatch_async(dispatch_get_main_queue(), ^{ [self endTask]; });
      """)

  private static let lc106 = Snippet(
    swift: """
      // The task first, in the foreground too; then the work that it protects.
      let task = UIApplication.shared.beginBackgroundTask(withName: "upload") { upload.cancel() }
      upload.start {
        DispatchQueue.main.async { UIApplication.shared.endBackgroundTask(task) }
      }
      """,
    objectiveC: """
      __block UIBackgroundTaskIdentifier task = [UIApplication.sharedApplication
          beginBackgroundTaskWithName:@"upload" expirationHandler:^{ [upload cancel]; }];
      [upload startWithCompletion:^{
        dispatch_async(dispatch_get_main_queue(), ^{
          [UIApplication.sharedApplication endBackgroundTask:task];
        });
      }];
      """)

  private static let lc107 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        beginSaving()  // under a background task
      }

      func applicationWillTerminate(_ application: UIApplication) {
        store.saveSynchronously()  // what changed since; no task is granted any more
      }
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        [self beginSaving];  // under a background task
      }

      - (void)applicationWillTerminate:(UIApplication *)application {
        [self.store saveSynchronously];  // what changed since; no task is granted any more
      }
      """)

  private static let lc108 = Snippet(
    swift: """
      upload.start { result in
        self.finish(result)
        self.endTask()  // here, and not from a timer or the next callback
      }
      """,
    objectiveC: """
      [upload startWithCompletion:^(Result *result) {
        [self finish:result];
        [self endTask];  // here, and not from a timer or the next callback
      }];
      """)

  private static let lc109 = Snippet(
    swift: """
      let task = UIApplication.shared.beginBackgroundTask(withName: "sync") { sync.cancel() }
      guard task != .invalid else {
        store.markSyncPending()  // taken up at the next launch
        return
      }
      """,
    objectiveC: """
      UIBackgroundTaskIdentifier task = [UIApplication.sharedApplication
          beginBackgroundTaskWithName:@"sync" expirationHandler:^{ [sync cancel]; }];
      if (task == UIBackgroundTaskInvalid) {
        [self.store markSyncPending];  // taken up at the next launch
        return;
      }
      """)
}
