// Reading times, and the calendar.

import Testing

@testable import TraceImport

private func clockTime(_ text: String) -> LogTime? {
  var offset = 0
  return LogTime.clockTime(Array(text.utf8).span, at: &offset)
}

private func dateAndTime(_ text: String) -> LogTime? {
  var offset = 0
  return LogTime.dateAndTime(Array(text.utf8).span, at: &offset)
}

@Suite struct ClockTests {
  @Test func timesOfDay() {
    #expect(
      clockTime("01:02:03.000004")
        == LogTime(
          day: nil, nanosecondsOfDay: 3_723_000_004_000, resolutionNanoseconds: 1_000))
    #expect(
      clockTime("01:02:03.5+0130")
        == LogTime(
          day: nil, nanosecondsOfDay: -1_676_500_000_000, resolutionNanoseconds: 100_000_000,
          hasZone: true, localOffsetSeconds: 5_400))
    #expect(clockTime("01:02:03-0001")?.nanosecondsOfDay == 3_783_000_000_000)
    #expect(clockTime("23:59:60.000")?.nanosecondsOfDay == 86_400_000_000_000)
    for text in ["24:00:00", "01:60:00", "01:00:61", "1:00:00", "01:00", "", "01:00:00.0000000001"]
    {
      #expect(clockTime(text) == nil, "\(text)")
    }
  }

  @Test func dates() {
    #expect(dateAndTime("1970-01-01 00:00:00.000")?.day == 0)
    #expect(dateAndTime("2024-02-29 00:00:00.000")?.day == 19_782)
    #expect(dateAndTime("2000-03-01 00:00:00.000")?.day == 11_017)
    #expect(dateAndTime("1969-12-31 00:00:00.000")?.day == -1)
    for text in ["2024-13-01 00:00:00", "2024-00-01 00:00:00", "2024-01-32 00:00:00", "24-01-01"] {
      #expect(dateAndTime(text) == nil, "\(text)")
    }
  }

  @Test func everyDayFollowsTheOneBefore() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var wrong: [String] = []
    var expected = LogTime.daysSince1970(year: 1896, month: 1, day: 1)
    for year in 1896...2104 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for month in 1...12 {
        for day in 1...(lengths[month - 1] + (isLeap && month == 2 ? 1 : 0)) {
          if LogTime.daysSince1970(year: year, month: month, day: day) != expected {
            wrong.append("\(year)-\(month)-\(day)")
          }
          expected += 1
        }
      }
    }
    #expect(wrong == [])
  }
}
