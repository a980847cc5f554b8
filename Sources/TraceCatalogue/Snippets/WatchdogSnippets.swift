// How callbacks and the main thread stay quick.

extension Snippets {
  static let watchdog: [String: Snippet] = [
    "LC003": lc003,
    "LC309": lc003,
    "LM14": lc003,
    "LC307": lc307,
    "LC302": lc307,
    "LC308": lc308,
    "LC306": lc306,
    "LC310": lc310,
    "LC311": lc311,
    "LC112": lc311,
  ]

  private static let lc003 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        var task = UIBackgroundTaskIdentifier.invalid
        task = application.beginBackgroundTask(withName: "save") {
          application.endBackgroundTask(task)
          task = .invalid
        }
        queue.async {
          self.store.save()  // long: off the main thread, under the task
          DispatchQueue.main.async {
            guard task != .invalid else { return }
            application.endBackgroundTask(task)
            task = .invalid
          }
        }
      }  // returns at once
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        __block UIBackgroundTaskIdentifier task;
        task = [application beginBackgroundTaskWithName:@"save" expirationHandler:^{
          [application endBackgroundTask:task];
          task = UIBackgroundTaskInvalid;
        }];
        dispatch_async(self.queue, ^{
          [self.store save];  // long: off the main thread, under the task
          dispatch_async(dispatch_get_main_queue(), ^{
            if (task == UIBackgroundTaskInvalid) return;
            [application endBackgroundTask:task];
            task = UIBackgroundTaskInvalid;
          });
        });
      }  // returns at once
      """)

  private static let lc307 = Snippet(
    swift: """
      showCached()
      URLSession.shared.dataTask(with: url) { data, _, error in
        DispatchQueue.main.async { self.show(data, error) }
      }.resume()
      """,
    objectiveC: """
      [self showCached];
      [[NSURLSession.sharedSession dataTaskWithURL:url
          completionHandler:^(NSData *data, NSURLResponse *response, NSError *error) {
            dispatch_async(dispatch_get_main_queue(), ^{ [self show:data error:error]; });
          }] resume];
      """)

  private static let lc308 = Snippet(
    swift: """
      queue.async {
        let index = Index(of: documents)  // long
        DispatchQueue.main.async { self.listView.show(index) }
      }
      """,
    objectiveC: """
      dispatch_async(self.queue, ^{
        Index *index = [Index indexOf:documents];  // long
        dispatch_async(dispatch_get_main_queue(), ^{ [self.listView show:index]; });
      });
      """)

  private static let lc306 = Snippet(
    swift: """
      func applicationWillTerminate(_ application: UIApplication) {
        // Everything else was saved in applicationDidEnterBackground.
        store.writePendingChange()
      }
      """,
    objectiveC: """
      - (void)applicationWillTerminate:(UIApplication *)application {
        // Everything else was saved in applicationDidEnterBackground:.
        [self.store writePendingChange];
      }
      """)

  private static let lc310 = Snippet(
    swift: """
      application.setKeepAliveTimeout(600) {
        self.connection.sendKeepAlive(timeout: 5)  // returns in seconds
      }
      """,
    objectiveC: """
      [application setKeepAliveTimeout:600 handler:^{
        [self.connection sendKeepAliveWithTimeout:5];  // returns in seconds
      }];
      """)

  private static let lc311 = Snippet(
    swift: """
      func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic,
        error: Error?
      ) {
        inbox.append(characteristic.value)  // longer work: a task first
      }
      """,
    objectiveC: """
      - (void)peripheral:(CBPeripheral *)peripheral
          didUpdateValueForCharacteristic:(CBCharacteristic *)characteristic
                                    error:(NSError *)error {
        [self.inbox append:characteristic.value];  // short; longer work begins a task first
      }
      """)
}
