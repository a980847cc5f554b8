// How drawing stops before the background.

extension Snippets {
  static let graphics: [String: Snippet] = [
    "LC004": lc004,
    "LC403": lc004,
    "LC406": lc004,
    "LC404": lc004,
    "LC401": lc401,
    "LC405": lc405,
    "LC407": lc405,
    "LM09": lm09,
    "LM10": lm10,
  ]

  private static let lc004 = Snippet(
    swift: """
      func applicationWillResignActive(_ application: UIApplication) {
        displayLink.isPaused = true
        glFinish()
      }

      func applicationDidBecomeActive(_ application: UIApplication) {
        displayLink.isPaused = false  // the first frame too is drawn from here
      }

      @objc func render(_ link: CADisplayLink) {
        guard UIApplication.shared.applicationState == .active else { return }
        drawFrame()
      }
      """,
    objectiveC: """
      - (void)applicationWillResignActive:(UIApplication *)application {
        self.displayLink.paused = YES;
        glFinish();
      }

      - (void)applicationDidBecomeActive:(UIApplication *)application {
        self.displayLink.paused = NO;  // the first frame too is drawn from here
      }

      - (void)render:(CADisplayLink *)link {
        if (UIApplication.sharedApplication.applicationState != UIApplicationStateActive) return;
        [self drawFrame];
      }
      """)

  private static let lc401 = Snippet(
    swift: """
      func applicationDidEnterBackground(_ application: UIApplication) {
        for context in contexts {
          EAGLContext.setCurrent(context)
          glFinish()  // waits until all that was submitted is carried out
        }
      }
      """,
    objectiveC: """
      - (void)applicationDidEnterBackground:(UIApplication *)application {
        for (EAGLContext *context in self.contexts) {
          [EAGLContext setCurrentContext:context];
          glFinish();  // waits until all that was submitted is carried out
        }
      }
      """)

  private static let lc405 = Snippet(
    swift: """
      func applicationWillResignActive(_ application: UIApplication) {
        glView.preferredFramesPerSecond = 5
      }

      func applicationDidBecomeActive(_ application: UIApplication) {
        glView.preferredFramesPerSecond = 60
      }
      """,
    objectiveC: """
      - (void)applicationWillResignActive:(UIApplication *)application {
        self.glView.preferredFramesPerSecond = 5;
      }

      - (void)applicationDidBecomeActive:(UIApplication *)application {
        self.glView.preferredFramesPerSecond = 60;
      }
      """)

  private static let lm09 = Snippet(
    swift: """
      func draw(in view: MTKView) {
        guard UIApplication.shared.applicationState == .active,
          let buffer = queue.makeCommandBuffer()
        else { return }
        encodeFrame(into: buffer, view)
        buffer.addCompletedHandler { if let error = $0.error { log(error) } }
        buffer.commit()
      }
      """,
    objectiveC: """
      - (void)drawInMTKView:(MTKView *)view {
        if (UIApplication.sharedApplication.applicationState != UIApplicationStateActive) return;
        id<MTLCommandBuffer> buffer = [self.queue commandBuffer];
        [self encodeFrameInto:buffer view:view];
        [buffer addCompletedHandler:^(id<MTLCommandBuffer> done) {
          if (done.error) [self log:done.error];
        }];
        [buffer commit];
      }
      """)

  private static let lm10 = Snippet(
    swift: """
      func sceneWillResignActive(_ scene: UIScene) { metalView.isPaused = true }

      func sceneDidEnterBackground(_ scene: UIScene) { lastBuffer?.waitUntilCompleted() }
      """,
    objectiveC: """
      - (void)sceneWillResignActive:(UIScene *)scene { self.metalView.paused = YES; }

      - (void)sceneDidEnterBackground:(UIScene *)scene { [self.lastBuffer waitUntilCompleted]; }
      """)
}
