// How scheduled tasks are registered, submitted and completed.

extension Snippets {
  static let scheduling: [String: Snippet] = [
    "LM01": lm01,
    "LM02": lm02,
    "LM03": lm02,
    "LM04": lm04,
    "LM06": lm04,
    "LM05": lm05,
  ]

  private static let lm01 = Snippet(
    swift: """
      func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
      ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.refresh", using: nil) {
          self.refresh($0)
        }
        return true
      }
      """,
    objectiveC: """
      - (BOOL)application:(UIApplication *)application
          didFinishLaunchingWithOptions:(NSDictionary *)options {
        [BGTaskScheduler.sharedScheduler
            registerForTaskWithIdentifier:@"com.example.refresh" usingQueue:nil
                            launchHandler:^(BGTask *task) { [self refresh:task]; }];
        return YES;
      }
      """)

  private static let lm02 = Snippet(
    swift: """
      func refresh(_ task: BGTask) {
        let operation = RefreshOperation()
        task.expirationHandler = { operation.cancel() }
        operation.completionBlock = {
          task.setTaskCompleted(success: !operation.isCancelled)  // on every path, once
        }
        queue.addOperation(operation)
      }
      """,
    objectiveC: """
      - (void)refresh:(BGTask *)task {
        RefreshOperation *operation = [RefreshOperation new];
        __weak RefreshOperation *weakOperation = operation;
        task.expirationHandler = ^{ [weakOperation cancel]; };
        operation.completionBlock = ^{
          [task setTaskCompletedWithSuccess:!weakOperation.cancelled];  // on every path, once
        };
        [self.queue addOperation:operation];
      }
      """)

  private static let lm04 = Snippet(
    swift: """
      let request = BGAppRefreshTaskRequest(identifier: "com.example.refresh")  // one for all
      request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
      do {
        try BGTaskScheduler.shared.submit(request)
      } catch BGTaskScheduler.Error.tooManyPendingTaskRequests {
        log("still pending")
      }
      """,
    objectiveC: """
      BGAppRefreshTaskRequest *request =
          [[BGAppRefreshTaskRequest alloc] initWithIdentifier:@"com.example.refresh"];
      request.earliestBeginDate = [NSDate dateWithTimeIntervalSinceNow:15 * 60];
      NSError *error;
      if (![BGTaskScheduler.sharedScheduler submitTaskRequest:request error:&error]) {
        [self log:error];
      }
      """)

  private static let lm05 = Snippet(
    swift: """
      let isPermitted = BGTaskScheduler.shared.register(
        forTaskWithIdentifier: "com.example.refresh", using: nil
      ) { self.refresh($0) }
      // false: add it to BGTaskSchedulerPermittedIdentifiers in the Info.plist
      assert(isPermitted)
      """,
    objectiveC: """
      BOOL isPermitted = [BGTaskScheduler.sharedScheduler
          registerForTaskWithIdentifier:@"com.example.refresh" usingQueue:nil
                          launchHandler:^(BGTask *task) { [self refresh:task]; }];
      // NO: add it to BGTaskSchedulerPermittedIdentifiers in the Info.plist
      NSAssert(isPermitted, @"not permitted");
      """)
}
