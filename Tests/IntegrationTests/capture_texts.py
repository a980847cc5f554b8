"""Captures made up for tests from outside: long logs of devices, and inputs made to hurt."""

import json

NOISE = [
    "locationd(CoreLocation)[71] <Notice>: {\"msg%{public}.0s\":\"#Spi, CLInternalGetAuthorizationStatus\", \"pid\":%d}",
    "symptomsd(SymptomEvaluator)[122] <Notice>: NWPathMonitor update, interface en0 quality %d, cellular unused",
    "mediaserverd(CoreAudio)[33] <Notice>: HALS_IOContext::StartIOProc: starting for client %d on the built-in route",
    "bluetoothd[89] <Info>: Received advertisement from peer %d, rssi -71, active scan, no match for client",
    "backboardd(IOKit)[66] <Debug>: contact %d presence: none; event mask 0x0 dispatched to the focused display",
    "apsd(PersistentConnection)[99] <Notice>: Calculated keep-alive interval %d for interface WiFi, no change",
    "dasd(DuetActivitySchedulerDaemon)[110] <Notice>: scored activity %d: decision MNP, optimal score 0.41",
    "wifid(WiFiPolicy)[48] <Notice>: link quality sample %d, rate 433, retries 3, beacon losses none",
    "Notes(CFNetwork)[412] <Notice>: Connection %d: enabling TLS, hostname resolved, reading the answer",
    "SpringBoard(FrontBoard)[60] <Notice>: icon view layout pass %d done, nothing changed on the page",
]


def stamp(milliseconds):
    seconds, rest = divmod(milliseconds, 1000)
    day, seconds = divmod(seconds, 86_400)
    return (f"Mar {4 + day:2} {seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
            f".{rest:03}000")


def begun(token, name="sync"):
    return ("Notes(UIKitCore)[412] <Notice>: Created background task <_UIBackgroundTaskInfo: 0x10a>:"
            f" taskID = {token}, taskName = {name}, creationTime = 7 (elapsed = 0).")


def ended(token):
    return ("Notes(UIKitCore)[412] <Notice>: Ending background task with"
            f" UIBackgroundTaskIdentifier: {token}")


def device_log(line_count, relevant_every=10_000, milliseconds=10):
    """Blocks of an idevicesyslog: noise, and tasks that are begun and ended by turns."""
    token = 0
    block_lines = min(relevant_every, line_count)
    per_block = [(NOISE[n % len(NOISE)].replace("%{public}.0s", "").replace("%d", str(n)))
                 for n in range(100)]
    for start in range(0, line_count, block_lines):
        lines = []
        for offset in range(0, block_lines - 1, 100):
            time = stamp((start + offset) * milliseconds)
            prefix = time + " "
            lines += [prefix + text for text in per_block[:min(100, block_lines - 1 - offset)]]
        time = stamp((start + block_lines - 1) * milliseconds)
        number = start // block_lines
        if number % 2 == 0:
            token += 1
            lines.append(f"{time} {begun(token)}")
        else:
            lines.append(f"{time} {ended(token)}")
        yield ("\n".join(lines) + "\n").encode()


def write(path, blocks):
    with open(path, "wb") as file:
        for block in blocks:
            file.write(block)


# One line of a story in each format of logs; %T is a time with date, %M the message.

def console(second, process, pid, message):
    return f"default\t{clock(second)}.000000+0100\t{process}\t{message}\n"


def clock(second):
    return f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"


def compact(second, process, pid, message):
    return f"2026-03-04 {clock(second)}.000 Df {process}[{pid}:1a2b] (UIKitCore) {message}\n"


def default(second, process, pid, message):
    return (f"2026-03-04 {clock(second)}.000000+0100 0x1a2b     Default     0x0                  "
            f"{pid}    0    {process}: (UIKitCore) [com.apple.UIKit:a] {message}\n")


def log_syslog(second, process, pid, message):
    return f"2026-03-04 {clock(second)}.000000+0100  localhost {process}[{pid}]: {message}\n"


def ndjson(second, process, pid, message):
    return json.dumps({
        "timestamp": f"2026-03-04 {clock(second)}.000000+0100", "eventMessage": message,
        "processImagePath": f"/a.app/{process}", "processID": pid, "threadID": 1,
        "messageType": "Default", "eventType": "logEvent"}) + "\n"


def device(second, process, pid, message):
    return f"Mar  4 {clock(second)} {process}(UIKitCore)[{pid}] <Notice>: {message}\n"


def simulator(second, process, pid, message):
    return f"Mar  4 {clock(second)} my-mac {process}[{pid}]: {message}\n"


def appium(second, process, pid, message):
    return json.dumps({
        "timestamp": 1_772_668_799_000 + second * 1000, "level": "ALL",
        "message": device(second, process, pid, message).rstrip("\n")}) + "\n"


def pymobile(second, process, pid, message):
    return (f"2026-03-04 {clock(second)}.000000 {process}{{UIKitCore+0x1c}}[{pid}] <NOTICE>: "
            f"{message} [com.apple.UIKit][a]\n")


def pymobile_json(second, process, pid, message):
    return json.dumps({
        "pid": pid, "thread_id": 1, "timestamp": f"2026-03-04T{clock(second)}.000000",
        "level": "NOTICE", "filename": f"/a.app/{process}", "message": message,
        "label": None}) + "\n"


def xcode(second, process, pid, message):
    return f"2026-03-04 {clock(second)}.000000+0100 {process}[{pid}:9001] {message}\n"


LOGS = {
    "console": console, "log-compact": compact, "log-default": default, "log-syslog": log_syslog,
    "log-json": ndjson, "idevicesyslog": device, "syslog": simulator, "appium": appium,
    "pymobiledevice3": pymobile, "pymobiledevice3-json": pymobile_json, "xcode": xcode,
}


def created(token):
    return (f"Created background task <_UIBackgroundTaskInfo: 0x10a>: taskID = {token},"
            f" taskName = sync {token}, creationTime = 7 (elapsed = 0).")


def end(token):
    return f"Ending background task with UIBackgroundTaskIdentifier: {token}"


def filled(line, size):
    """Lines made from numbers until there are so many bytes."""
    parts, total, number = [], 0, 0
    while total < size:
        part = line(number)
        parts.append(part)
        total += len(part)
        number += 1
    return "".join(parts)


def hostile_logs(name, size):
    """Inputs of so many bytes in one format of logs."""
    line = LOGS[name]
    head = "".join(line(n, "Notes", 412, f"hello {n}") for n in range(5))
    app = "[app<com.example.a{0}>:{0}] "
    yield "one line without end", head + line(9, "Notes", 412, created(1)).rstrip("\n") + "x" * size
    yield "a message without end", head + line(9, "Notes", 412, created(1)) + "more\n" * (size // 5)
    yield "a million short lines", head + "a\n" * (size // 2)
    yield "noise", head + filled(lambda n: line(n // 100, "Notes", 412, f"hello {n}"), size)
    yield "all lines begin and end tasks", filled(
        lambda n: line(n // 100, "Notes", 412, created(n // 2 + 1) if n % 2 == 0
                       else end(n // 2 + 1)), size)
    yield "all processes are other ones", filled(
        lambda n: line(n // 100, "runningboardd", 31, app.format(n + 100) + "Suspending task."),
        size)
    yield "all processes end", filled(
        lambda n: line(n * 11, "runningboardd", 31, app.format(n + 100)
                       + "Process exited: <a| domain:signal(2) code:SIGSEGV(11)>."), size)
    yield "forty thousand open tasks", filled(
        lambda n: line(n // 100, "Notes", 412, created(n + 1)), size // 2)
    yield "suspended, and running all the same", (
        line(0, "Notes", 412, "Received state update for 412 (app<com.example.notes(1)>,"
             " running-active-Visible")
        + line(1, "runningboardd", 31, "[app<com.example.notes>:412] Suspending task.")
        + filled(lambda n: line(5 + n // 100, "Notes", 412, created(n + 1)), size))
    yield "names that are all different", filled(
        lambda n: line(n // 100, f"App{n}", n + 100, created(n + 1)), size)


def hostile_reports(size):
    """Inputs of so many bytes in the formats of reports, and the names of these."""
    header = '{"app_name":"Notes","timestamp":"2026-03-04 10:00:00.00 +0100","bug_type":"309"}\n'
    yield "ips: deep", "ips", header + '{"pid":1,"threads":' + "[" * size
    yield "ips: many frames", "ips", (
        header + '{"pid":1,"procName":"Notes","exception":{"type":"EXC_CRASH","signal":"SIGKILL"},'
        '"termination":{"code":2343432205,"namespace":"FRONTBOARD"},"threads":[{"frames":['
        + '{"imageOffset":1,"imageIndex":0},' * (size // 34) + '{}]}]}')
    yield "ips: one long text", "ips", header + '{"pid":1,"procName":"' + "a" * size + '"}'
    yield "crash: many lines", "crash", (
        "Incident Identifier: 1\nHardware Model: iPhone12,1\nProcess: Notes [412]\n"
        "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: FRONTBOARD 2343432205\n"
        + "0   Notes   0x0000000100000000 0x100000000 + 1\n" * (size // 47))
    yield "crash: one long line", "crash", (
        "Incident Identifier: 1\nException Type:  EXC_CRASH (SIGKILL)\nTermination Reason: "
        + "x" * size)
    yield "jetsam: many processes", "jetsam", (
        '{"bug_type":"298","timestamp":"2026-03-04 10:00:00.00 +0100"}\n'
        '{"memoryStatus":{"pageSize":16384},"processes":['
        + ",".join(f'{{"name":"a{n}","pid":{n},"rpages":9,"reason":"highwater"}}'
                   for n in range(size // 60)) + "]}")
    yield "metrickit: many diagnostics", "metrickit", (
        '{"timeStampBegin":"2026-03-04 10:00:00 +0000","crashDiagnostics":['
        + '{"diagnosticMetaData":{"signal":11,"exceptionType":1}},' * (size // 57) + "{}]}")
    yield "metrickit: deep", "metrickit", (
        '{"crashDiagnostics":[{"callStackTree":' + '{"subFrames":[' * (size // 14))
