// What the screen shows, and doesn't, on the way to the background.

extension Snippets {
  static let interface: [String: Snippet] = [
    "LC821": lc821,
    "LC822": lc822,
    "LC823": lc823,
    "LC811": lc823,
  ]

  private static let lc821 = Snippet(
    swift: """
      func received(_ messages: [Message]) {
        model.messages = messages
        if UIApplication.shared.applicationState != .background { tableView.reloadData() }
      }

      func applicationWillEnterForeground(_ application: UIApplication) {
        tableView.reloadData()
      }
      """,
    objectiveC: """
      - (void)receivedMessages:(NSArray<Message *> *)messages {
        self.model.messages = messages;
        if (UIApplication.sharedApplication.applicationState != UIApplicationStateBackground) {
          [self.tableView reloadData];
        }
      }

      - (void)applicationWillEnterForeground:(UIApplication *)application {
        [self.tableView reloadData];
      }
      """)

  private static let lc822 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        if let alert = presentedViewController as? UIAlertController {
          pendingQuestion = alert.title  // enough to ask again
          alert.dismiss(animated: false)
        }
      }
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        [self.alertView dismissWithClickedButtonIndex:self.alertView.cancelButtonIndex animated:NO];
        [self.actionSheet dismissWithClickedButtonIndex:self.actionSheet.cancelButtonIndex
                                               animated:NO];
      }
      """)

  private static let lc823 = Snippet(
    swift: """
      func applicationWillResignActive(_ application: UIApplication) {
        window?.addSubview(cover)  // at once, without animation
      }

      func applicationDidBecomeActive(_ application: UIApplication) {
        cover.removeFromSuperview()
      }
      """,
    objectiveC: """
      - (void)applicationWillResignActive:(UIApplication *)application {
        [self.window addSubview:self.cover];  // at once, without animation
      }

      - (void)applicationDidBecomeActive:(UIApplication *)application {
        [self.cover removeFromSuperview];
      }
      """)
}
