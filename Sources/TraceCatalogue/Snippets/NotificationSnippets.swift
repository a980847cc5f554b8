// How notifications are observed and scheduled.

extension Snippets {
  static let notification: [String: Snippet] = [
    "LC801": lc801,
    "LM17": lc801,
    "LC809": lc809,
    "LC810": lc809,
    "LC812": lc812,
  ]

  private static let lc801 = Snippet(
    swift: """
      let center = UNUserNotificationCenter.current()
      for reminder in reminders.sorted(by: { $0.date < $1.date }).prefix(30) {
        center.add(request(for: reminder))  // more at each launch
      }
      """,
    objectiveC: """
      NSArray *next = [self remindersSortedByDate];
      for (Reminder *reminder in [next subarrayWithRange:NSMakeRange(0, MIN(next.count, 30))]) {
        [application scheduleLocalNotification:[self notificationFor:reminder]];
      }
      """)

  private static let lc809 = Snippet(
    swift: """
      NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: .main
      ) { _ in
        self.settings = Settings(UserDefaults.standard)
        self.showSettings()
      }
      """,
    objectiveC: """
      [NSNotificationCenter.defaultCenter
          addObserverForName:NSUserDefaultsDidChangeNotification object:nil
                       queue:NSOperationQueue.mainQueue
                  usingBlock:^(NSNotification *note) { [self reloadSettings]; }];
      """)

  private static let lc812 = Snippet(
    swift: """
      NotificationCenter.default.addObserver(
        forName: NSLocale.currentLocaleDidChangeNotification, object: nil, queue: .main
      ) { _ in
        self.dateFormatter = nil  // made anew when it is needed
        self.tableView.reloadData()
      }
      """,
    objectiveC: """
      [NSNotificationCenter.defaultCenter
          addObserverForName:NSCurrentLocaleDidChangeNotification object:nil
                       queue:NSOperationQueue.mainQueue
                  usingBlock:^(NSNotification *note) {
                    self.dateFormatter = nil;  // made anew when it is needed
                    [self.tableView reloadData];
                  }];
      """)
}
