/** Type names as returned by the API: every number is float64. Source: packages/docs/behaviour/schemas.md#types. */
export type SchemaTypeName = 'string' | 'float64' | 'bool'

/** Type names by dotted key path, in byte order of the paths. */
export type FlatSchema = Readonly<Record<string, SchemaTypeName>>
