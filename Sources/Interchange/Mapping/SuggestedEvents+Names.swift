// The names by which each field is known, most telling first, in lower case without `_`, `-` and spaces.
extension SuggestedEvents {
  static let times = [
    "timestamp", "time", "eventtime", "ts", "datetime", "eventtimestamp", "createdat",
    "occurredat", "date", "day", "eventdate", "receivedat",
  ]
  static let units = [
    "userid", "user", "visitorid", "anonymousid", "customerid", "deviceid", "subject", "subjectid",
    "unit", "unitid", "visitor", "clientid", "distinctid", "memberid", "accountid", "personid",
    "playerid", "customer", "member", "account", "participantid", "participant", "cookieid",
    "browserid", "sessionid", "session", "uid", "email",
  ]
  static let otherIDs: Set<String> = [
    "experiment", "test", "event", "flag", "product", "item", "store", "shop", "campaign", "page",
    "site", "ad",
  ]
  static let eventIDs = [
    "eventid", "messageid", "uuid", "insertid", "assignmentid", "exposureid", "decisionid",
    "rowid", "id",
  ]
  static let orderIDs = ["orderid", "transactionid", "purchaseid"]
  static let experiments = [
    "experimentid", "experiment", "experimentname", "experimentkey", "testid", "test", "testname",
    "flagkey", "flag", "featureflag", "campaign",
  ]
  static let variants = [
    "variationid", "variantid", "variant", "variation", "variationname", "variantname", "arm",
    "treatment", "treatmentgroup", "experimentgroup", "testgroup", "group", "groupname", "bucket",
    "featureflagresponse",
  ]
  static let propensities = [
    "propensity", "propensityscore", "actionprob", "actionprobability", "probability", "prob",
    "pscore",
  ]
  static let goals = ["goal", "goalid", "goalname", "eventname", "event", "eventtype"]
  static let names: Set<String> = ["name", "type", "kind", "action", "activity"]
  static let rewards = ["reward", "outcome", "converted", "conversion", "click", "clicked"]
}
