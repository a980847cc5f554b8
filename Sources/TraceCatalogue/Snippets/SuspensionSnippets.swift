// What is let go of before a suspension.

extension Snippets {
  static let suspension: [String: Snippet] = [
    "LC002": lc002,
    "LC201": lc201,
    "LC202": lc202,
    "LC203": lc202,
    "LC204": lc204,
    "LM11": lc204,
    "LC206": lc206,
  ]

  private static let lc002 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        timer?.invalidate()
        queue.isSuspended = true
        beginSaving()  // what must finish runs under a background task
      }
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        [self.timer invalidate];
        self.queue.suspended = YES;
        [self beginSaving];  // what must finish runs under a background task
      }
      """)

  private static let lc201 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        store.finish()
        addressBook = nil  // made again when it is needed
      }
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        [self.store finish];
        if (self.addressBook) CFRelease(self.addressBook);
        self.addressBook = NULL;  // made again when it is needed
      }
      """)

  private static let lc202 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        service.stop()  // Bonjour
        listener.cancel()  // the listening socket
      }

      func applicationWillEnterForeground(_ application: UIApplication) {
        startListening()
        service.publish()
      }
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        [self.service stop];  // Bonjour
        close(self.listeningSocket);
      }

      - (void)applicationWillEnterForeground:(UIApplication *)application {
        [self startListening];
        [self.service publish];
      }
      """)

  private static let lc204 = Snippet(
    swift: """
      let task = UIApplication.shared.beginBackgroundTask(withName: "transaction") {
        database.interrupt()  // the transaction rolls back, and the task ends below
      }
      database.inTransaction { connection in  // short; ends with COMMIT or ROLLBACK
        try connection.insert(rows)
      }
      UIApplication.shared.endBackgroundTask(task)  // only now the app may be suspended
      """,
    objectiveC: """
      UIBackgroundTaskIdentifier task = [UIApplication.sharedApplication
          beginBackgroundTaskWithName:@"transaction"
                    expirationHandler:^{ [self.database interrupt]; }];
      [self.database inTransaction:^(Connection *connection) {  // short; COMMIT or ROLLBACK
        [connection insert:rows];
      }];
      [UIApplication.sharedApplication endBackgroundTask:task];  // only now it may be suspended
      """)

  private static let lc206 = Snippet(
    swift: """
      let request = BGProcessingTaskRequest(identifier: "com.example.notes.index")
      request.requiresExternalPower = true
      try BGTaskScheduler.shared.submit(request)  // instead of minutes after each visit
      """)
}
