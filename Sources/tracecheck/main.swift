// The program: everything it does is in TraceCheckKit.

import TraceCheckKit

TraceCheck.runAndExit()
