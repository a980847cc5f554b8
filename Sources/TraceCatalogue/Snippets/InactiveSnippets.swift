// What is stopped when the app resigns the active state, and started again.

extension Snippets {
  static let inactive: [String: Snippet] = [
    "LC541": lc541,
    "LC546": lc541,
    "LC547": lc541,
    "LC542": lc542,
    "LC545": lc545,
    "LC548": lc545,
    "LC544": lc544,
  ]

  private static let lc541 = Snippet(
    swift: """
      func applicationWillResignActive(_ application: UIApplication) {
        timer?.invalidate()
        queue.isSuspended = true
      }

      func applicationDidBecomeActive(_ application: UIApplication) {
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in self.tick() }
        queue.isSuspended = false
      }
      """,
    objectiveC: """
      - (void)applicationWillResignActive:(UIApplication *)application {
        [self.timer invalidate];
        self.queue.suspended = YES;
      }

      - (void)applicationDidBecomeActive:(UIApplication *)application {
        self.timer = [NSTimer scheduledTimerWithTimeInterval:1 target:self selector:@selector(tick)
                                                    userInfo:nil repeats:YES];
        self.queue.suspended = NO;
      }
      """)

  private static let lc542 = Snippet(
    swift: """
      func applicationWillResignActive(_ application: UIApplication) { query.stop() }
      func applicationDidBecomeActive(_ application: UIApplication) { query.start() }
      """,
    objectiveC: """
      - (void)applicationWillResignActive:(UIApplication *)application { [self.query stopQuery]; }
      - (void)applicationDidBecomeActive:(UIApplication *)application { [self.query startQuery]; }
      """)

  private static let lc545 = Snippet(
    swift: """
      func applicationWillResignActive(_ application: UIApplication) {
        game.pause()
        pauseView.isHidden = false  // its button resumes, not applicationDidBecomeActive
      }
      """,
    objectiveC: """
      - (void)applicationWillResignActive:(UIApplication *)application {
        [self.game pause];
        self.pauseView.hidden = NO;  // its button resumes, not applicationDidBecomeActive:
      }
      """)

  private static let lc544 = Snippet(
    swift: """
      func applicationWillResignActive(_ application: UIApplication) {
        if !player.isExternalPlaybackActive { player.pause() }
      }
      """,
    objectiveC: """
      - (void)applicationWillResignActive:(UIApplication *)application {
        if (!self.player.externalPlaybackActive) [self.player pause];
      }
      """)
}
