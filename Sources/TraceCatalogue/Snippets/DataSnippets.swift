// When state is saved, and read back.

extension Snippets {
  static let data: [String: Snippet] = [
    "LC851": lc851,
    "LC852": lc851,
    "LC205": lc851,
    "LC853": lc853,
    "LC854": lc854,
    "LC841": lc841,
    "LC842": lc841,
    "LC843": lc841,
  ]

  private static let lc851 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        let task = application.beginBackgroundTask(withName: "save") {
          self.store.cancelSaving()  // save() throws, and the task ends below
        }
        queue.async {
          do { try self.store.save() } catch { self.report(error) }
          DispatchQueue.main.async { application.endBackgroundTask(task) }
        }
      }
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        UIBackgroundTaskIdentifier task =
            [application beginBackgroundTaskWithName:@"save" expirationHandler:^{
                [self.store cancelSaving];
              }];
        dispatch_async(self.queue, ^{
          NSError *error;
          if (![self.store save:&error]) [self report:error];
          dispatch_async(dispatch_get_main_queue(), ^{ [application endBackgroundTask:task]; });
        });
      }
      """)

  private static let lc853 = Snippet(
    swift: """
      func application(
        _ application: UIApplication, shouldSaveApplicationState coder: NSCoder
      ) -> Bool { true }

      func application(
        _ application: UIApplication, shouldRestoreApplicationState coder: NSCoder
      ) -> Bool { true }
      """,
    objectiveC: """
      - (BOOL)application:(UIApplication *)application
          shouldSaveApplicationState:(NSCoder *)coder {
        return YES;
      }

      - (BOOL)application:(UIApplication *)application
          shouldRestoreApplicationState:(NSCoder *)coder {
        return YES;
      }
      """)

  private static let lc854 = Snippet(
    swift: """
      func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
      ) -> Bool {
        if let draft = try? Draft(contentsOf: Draft.savedURL) { editor.show(draft) }
        return true
      }
      """,
    objectiveC: """
      - (BOOL)application:(UIApplication *)application
          didFinishLaunchingWithOptions:(NSDictionary *)options {
        Draft *draft = [Draft draftWithContentsOfURL:Draft.savedURL];
        if (draft) [self.editor show:draft];
        return YES;
      }
      """)

  private static let lc841 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        imageCache.removeAllObjects()
      }

      func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
        imageCache.removeAllObjects()
        documents.releaseWhatCanBeLoadedAgain()
      }
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        [self.imageCache removeAllObjects];
      }

      - (void)applicationDidReceiveMemoryWarning:(UIApplication *)application {
        [self.imageCache removeAllObjects];
        [self.documents releaseWhatCanBeLoadedAgain];
      }
      """)
}
