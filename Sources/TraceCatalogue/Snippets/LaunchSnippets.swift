// How a launch stays light.

extension Snippets {
  static let launch: [String: Snippet] = [
    "LC301": lc301,
    "LC303": lc301,
    "LC304": lc304,
    "LC305": lc305,
    "LC619": lc305,
  ]

  private static let lc301 = Snippet(
    swift: """
      func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
      ) -> Bool {
        window?.rootViewController = FirstViewController()
        DispatchQueue.main.async {  // after the launch methods have returned
          self.queue.async { self.migrateAndSync() }
        }
        return true
      }
      """,
    objectiveC: """
      - (BOOL)application:(UIApplication *)application
          didFinishLaunchingWithOptions:(NSDictionary *)options {
        self.window.rootViewController = [FirstViewController new];
        dispatch_async(dispatch_get_main_queue(), ^{  // after the launch methods have returned
          dispatch_async(self.queue, ^{ [self migrateAndSync]; });
        });
        return YES;
      }
      """)

  private static let lc304 = Snippet(
    swift: """
      if application.applicationState != .background {
        buildInterface()
      }  // else in applicationWillEnterForeground
      """,
    objectiveC: """
      if (application.applicationState != UIApplicationStateBackground) {
        [self buildInterface];
      }  // else in applicationWillEnterForeground:
      """)

  private static let lc305 = Snippet(
    swift: """
      if options?[.location] != nil {
        locationManager = CLLocationManager()
        locationManager.delegate = self
        locationManager.startMonitoringSignificantLocationChanges()
      }
      """,
    objectiveC: """
      if (options[UIApplicationLaunchOptionsLocationKey]) {
        self.locationManager = [CLLocationManager new];
        self.locationManager.delegate = self;
        [self.locationManager startMonitoringSignificantLocationChanges];
      }
      """)
}
