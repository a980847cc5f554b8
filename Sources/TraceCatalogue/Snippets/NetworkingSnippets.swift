// How transfers and sockets survive the background.

extension Snippets {
  static let networking: [String: Snippet] = [
    "LC707": lc707,
    "LC708": lc707,
    "LC709": lc707,
    "LC710": lc710,
    "LM19": lc710,
    "LC704": lc704,
  ]

  private static let lc707 = Snippet(
    swift: """
      let configuration = URLSessionConfiguration.background(withIdentifier: "com.example.media")
      configuration.sessionSendsLaunchEvents = true
      configuration.isDiscretionary = true  // unless the user waits for it
      let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      session.downloadTask(with: url).resume()
      """,
    objectiveC: """
      NSURLSessionConfiguration *configuration = [NSURLSessionConfiguration
          backgroundSessionConfigurationWithIdentifier:@"com.example.media"];
      configuration.sessionSendsLaunchEvents = YES;
      configuration.discretionary = YES;  // unless the user waits for it
      NSURLSession *session = [NSURLSession sessionWithConfiguration:configuration
                                                            delegate:self delegateQueue:nil];
      [[session downloadTaskWithURL:url] resume];
      """)

  private static let lc710 = Snippet(
    swift: """
      func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
      ) {
        completion = completionHandler
        session = makeSession(identifier)  // the function that made it the first time
      }

      func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        DispatchQueue.main.async {
          self.completion?()
          self.completion = nil
        }
      }
      """,
    objectiveC: """
      - (void)application:(UIApplication *)application
          handleEventsForBackgroundURLSession:(NSString *)identifier
                            completionHandler:(void (^)(void))completionHandler {
        self.completion = completionHandler;
        self.session = [self makeSession:identifier];  // the method that made it the first time
      }

      - (void)URLSessionDidFinishEventsForBackgroundURLSession:(NSURLSession *)session {
        dispatch_async(dispatch_get_main_queue(), ^{
          if (self.completion) self.completion();
          self.completion = nil;
        });
      }
      """)

  private static let lc704 = Snippet(
    swift: """
      connection.stateUpdateHandler = { state in
        if case .failed = state {
          self.connection.cancel()
          self.connection = self.makeConnection(to: self.peer)  // a new one, to the same peer
        }
      }
      """,
    objectiveC: """
      - (void)socketFailed:(NSError *)error {
        close(self.socket);
        self.socket = [self connectTo:self.peer];  // a new one, to the same peer
      }
      """)
}
