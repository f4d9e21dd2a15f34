/** Kinds of records that have commands of their own. */
export interface RecordKind {
  readonly noun: 'source' | 'destination' | 'connection'
  /** Name of the command, and of the list in paths and answers. */
  readonly plural: 'sources' | 'destinations' | 'connections'
  readonly description: string
  /** Members shown in tables. */
  readonly columns: readonly string[]
  /** An id, for examples. */
  readonly exampleId: string
  /** Arguments of `create` and `update`, for examples. */
  readonly examples: { readonly create: readonly string[]; readonly update: readonly string[] }
}
