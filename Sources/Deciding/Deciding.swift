@_exported public import DecidingAgents
@_exported public import DecidingConfig
@_exported public import DecidingCore
@_exported public import DecidingExperiments
@_exported public import DecidingRollouts
@_exported public import DecidingStudies
