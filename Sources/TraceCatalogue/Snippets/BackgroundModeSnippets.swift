// How the services that go on in the background are used.

extension Snippets {
  static let backgroundMode: [String: Snippet] = [
    "LC613": lc613,
    "LC614": lc613,
    "LC615": lc613,
    "LC616": lc613,
    "LM18": lc613,
    "LC604": lc604,
    "LC605": lc605,
    "LM12": lm12,
  ]

  private static let lc613 = Snippet(
    swift: """
      func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completion: @escaping (UIBackgroundFetchResult) -> Void
      ) {
        fetch(timeout: 20) { result in  // calls back once on every path
          switch result {
          case .success(let items): completion(items.isEmpty ? .noData : .newData)
          case .failure: completion(.failed)
          }
        }
      }
      """,
    objectiveC: """
      - (void)application:(UIApplication *)application
          performFetchWithCompletionHandler:(void (^)(UIBackgroundFetchResult))completion {
        [self fetchWithTimeout:20 completion:^(NSArray *items, NSError *error) {  // once
          if (error) return completion(UIBackgroundFetchResultFailed);
          completion(items.count ? UIBackgroundFetchResultNewData : UIBackgroundFetchResultNoData);
        }];
      }
      """)

  private static let lc604 = Snippet(
    swift: """
      let session = AVAudioSession.sharedInstance()
      try session.setCategory(.playback)
      try session.setActive(true)
      player.play()
      """,
    objectiveC: """
      AVAudioSession *session = AVAudioSession.sharedInstance;
      [session setCategory:AVAudioSessionCategoryPlayback error:&error];
      [session setActive:YES error:&error];
      [self.player play];
      """)

  private static let lc605 = Snippet(
    swift: """
      @objc func interrupted(_ note: Notification) {
        let type = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
        if type == AVAudioSession.InterruptionType.began.rawValue {
          player.pause()
        } else if AVAudioSession.InterruptionOptions(rawValue: options).contains(.shouldResume) {
          player.play()
        }
      }
      """,
    objectiveC: """
      - (void)interrupted:(NSNotification *)note {
        NSUInteger type = [note.userInfo[AVAudioSessionInterruptionTypeKey] unsignedIntegerValue];
        NSUInteger options =
            [note.userInfo[AVAudioSessionInterruptionOptionKey] unsignedIntegerValue];
        if (type == AVAudioSessionInterruptionTypeBegan) {
          [self.player pause];
        } else if (options & AVAudioSessionInterruptionOptionShouldResume) {
          [self.player play];
        }
      }
      """)

  private static let lm12 = Snippet(
    swift: """
      func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType, completion: @escaping () -> Void
      ) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: caller(in: payload))
        provider.reportNewIncomingCall(with: callID(in: payload), update: update) { _ in
          completion()
        }
      }
      """,
    objectiveC: """
      - (void)pushRegistry:(PKPushRegistry *)registry
          didReceiveIncomingPushWithPayload:(PKPushPayload *)payload
                                    forType:(PKPushType)type
                      withCompletionHandler:(void (^)(void))completion {
        CXCallUpdate *update = [CXCallUpdate new];
        update.remoteHandle = [[CXHandle alloc] initWithType:CXHandleTypeGeneric
                                                       value:[self callerIn:payload]];
        [self.provider reportNewIncomingCallWithUUID:[self callIDIn:payload] update:update
                                          completion:^(NSError *error) { completion(); }];
      }
      """)
}
