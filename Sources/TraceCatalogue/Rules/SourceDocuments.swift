// The documents behind the rules, by title.

import TraceRules

extension RuleSource {
  static func appStates(_ section: String) -> RuleSource {
    RuleSource("App Programming Guide for iOS, App States and Multitasking", section)
  }

  static func backgroundExecution(_ section: String) -> RuleSource {
    RuleSource("App Programming Guide for iOS, Background Execution", section)
  }

  static func iOS4Guide(_ section: String) -> RuleSource {
    RuleSource(
      "iOS Application Programming Guide, Executing Code in the Background (iOS 4 edition)",
      section)
  }

  static func xamarin(_ section: String) -> RuleSource {
    RuleSource("Introduction to Backgrounding in iOS (Xamarin)", section)
  }

  static func cocoanetics(_ section: String) -> RuleSource {
    RuleSource("Understanding iOS 4 Backgrounding and Delegate Messaging (Cocoanetics)", section)
  }

  /// Apple's reference pages and technical notes.
  static func apple(_ page: String) -> RuleSource {
    RuleSource("Apple developer documentation", page)
  }

  /// Public reports with logs or crash reports; no promise of the system's maker.
  static func reports(_ subject: String) -> RuleSource { RuleSource("Public reports", subject) }
}
