extension Specified {
  /// The name and all parameters, whether they were given or not.
  package var fullSpecification: Specification {
    Specification(
      Self.info.name,
      Self.parameters.compactMap { field in
        field.write(self).map { Specification.Parameter(key: field.listing.key, value: $0) }
      })
  }
}
