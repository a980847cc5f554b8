// Every kind of event as the specification lists it: taken from there, and not from the vocabulary.

import Foundation

/// Name, shape and emitter of each kind, in the specification's order.
enum SpecifiedKinds {
  static var rows: [[String]] {
    table.split(separator: "\n").map { $0.components(separatedBy: " | ") }
  }

  private static let table = """
    trace.start | instant | recorder
    trace.end | instant | recorder
    trace.lost | instant | recorder
    trace.clock_sync | instant | recorder
    trace.clock_step | instant | recorder
    trace.thread | instant | recorder
    trace.marker | instant | app
    proc.start | instant | system
    proc.main | span | app
    proc.exit | instant | app
    proc.kill | instant | system
    proc.suspend | instant | system or recorder
    proc.resume | instant | system or recorder
    proc.footprint | instant | recorder
    proc.cpu | instant | recorder
    sys.home_button | instant | system
    sys.user_launch | instant | system
    sys.app_switch | instant | system
    sys.switcher | span | system
    sys.force_quit | instant | system
    sys.interruption | span | system
    sys.banner | instant | system
    sys.lock | instant | system
    sys.unlock | instant | system
    sys.first_unlock | instant | system
    sys.boot | instant | system
    sys.shutdown | instant | system
    sys.memory_pressure | instant | system
    sys.push_arrived | instant | system
    sys.refresh_changed | instant | system
    sys.snapshot | instant | system
    sys.throttle | instant | system
    sys.cache_purge | instant | system
    wake.window | span | system
    delegate.will_finish_launching | span | system
    delegate.did_finish_launching | span | system
    delegate.did_become_active | span | system
    delegate.will_resign_active | span | system
    delegate.did_enter_background | span | system
    delegate.will_enter_foreground | span | system
    delegate.will_terminate | span | system
    delegate.open_url | span | system
    delegate.did_receive_memory_warning | span | system
    delegate.did_receive_local_notification | span | system
    delegate.did_receive_remote_notification | span | system
    delegate.perform_fetch | span | system
    delegate.handle_url_session | span | system
    delegate.should_save_state | span | system
    completion.call | instant | app
    state.application | instant | app
    state.time_remaining | instant | app
    state.multitasking | instant | app
    state.refresh_status | instant | app
    state.launch_options | instant | app
    bgtask.begin | instant | app
    bgtask.end | instant | app
    bgtask.expire | span | system
    work.span | span | app
    work.sample | instant | recorder
    work.dispatch | instant | app
    work.queue_suspend | instant | app
    work.queue_resume | instant | app
    work.timer_start | instant | app
    work.timer_stop | instant | app
    work.timer_fire | span | app
    work.query_start | instant | app
    work.query_stop | instant | app
    data.dirty | instant | app
    data.save | span | app
    data.restore | instant | app
    game.pause | instant | app
    game.resume | instant | app
    movie.play | instant | app
    movie.pause | instant | app
    app.react | instant | app
    gl.context_create | instant | app
    gl.call | instant | app
    gl.complete | instant | recorder or system
    gl.frame_rate | instant | app
    metal.commit | instant | app
    metal.complete | instant | system
    ui.touch | instant | system
    ui.event | instant | system
    ui.update | instant | app
    ui.needs_display | instant | app
    ui.alert_show | instant | app
    ui.alert_dismiss | instant | app or system
    ui.sensitive_show | instant | app
    ui.sensitive_hide | instant | app
    ui.icloud_prompt | instant | app
    priv.auth | instant | system
    note.observe | instant | app
    note.deliver | span | system
    localnote.schedule | instant | app
    localnote.cancel | instant | app
    localnote.cancel_all | instant | app
    localnote.fire | instant | system
    audio.session | instant | app
    audio.play | instant | app
    audio.record | instant | app
    audio.callback | span | system
    audio.interruption | span | system
    loc.start | instant | app
    loc.stop | instant | app
    loc.update | span | system
    voip.keepalive_set | instant | app
    voip.keepalive_clear | instant | app
    voip.keepalive | span | system
    voip.tag | instant | app
    voip.call | span | app
    ea.session | instant | app
    ea.data | span | system
    bt.session | instant | app
    bt.data | span | system
    news.download | instant | app or system
    fetch.interval | instant | app
    file.open | instant | app
    file.close | instant | app
    file.access | instant | app
    file.lock | instant | app
    res.use | instant | app
    bonjour.service | instant | app
    net.listen | instant | app
    net.connect | instant | app
    net.error | instant | app
    net.io | instant | app
    net.sync_wait | span | app
    url.session | instant | app
    url.task | instant | app or system
    mem.cache | instant | app
    scene.will_connect | span | system
    scene.did_become_active | span | system
    scene.will_resign_active | span | system
    scene.did_enter_background | span | system
    scene.will_enter_foreground | span | system
    scene.did_disconnect | span | system
    bgsched.register | instant | app
    bgsched.submit | instant | app
    bgsched.run | span | system
    bgsched.expire | span | system
    bgsched.complete | instant | app
    pushkit.receive | span | system
    callkit.report | instant | app
    proc.assertion | instant | system
    exit.import | instant | recorder
    """
}
