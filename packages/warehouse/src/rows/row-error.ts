/** Why an event makes no rows. */
export interface RowError {
  readonly code:
    | 'unsupported_type'
    | 'missing_event_name'
    | 'record_id_missing'
    | 'too_many_columns'
    | 'merge_identifiers_missing'
    | 'merge_null_value'
    | 'nested_too_deep'
  /** What is wrong, with the value, and what to do. */
  readonly message: string
}
