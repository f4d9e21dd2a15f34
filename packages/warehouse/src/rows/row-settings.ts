/** Settings of a destination that decide about its rows. The names are RudderStack's. */
export interface RowSettings {
  /** Writes no rows into `tracks`. */
  readonly skipTracksTable?: boolean
  /** Writes no rows into `users`. */
  readonly skipUsersTable?: boolean
  /** Sets digits apart from letters in names, as in destinations that were made long ago. */
  readonly underscoreDivideNumbers?: boolean
  /** Adds `context.traits` of identify events to the columns of users. */
  readonly allowUsersContextTraits?: boolean
  /** Stores the whole event as JSON in `rudder_event`. */
  readonly storeFullEvent?: boolean
  /** Key paths whose values are stored as JSON, with commas between them. */
  readonly jsonPaths?: string
  /** Lets events such as `Pages` write into the table of that name. */
  readonly skipReservedKeywordsEscaping?: boolean
  /**
   * Gives keys different columns that share one after their names were cut. RudderStack lets the last one overwrite the
   * others.
   */
  readonly keepsLongNames?: boolean
  /**
   * Gives every key a name that databases take, and that no other key of its object has: columns that databases keep for themselves, such
   * as `xmin`, get `_` in front, keys of other alphabets are spelt, and a key whose name another one has gets a hash. RudderStack's loads
   * fail, the values are lost, or the last one counts.
   */
  readonly keepsNames?: boolean
  /**
   * Stores the ids of users, groups and events as text, unchanged. RudderStack stores them in the type of their value, so
   * that an id like `2026-01-31` becomes a time, and the first numeric one makes a column that takes no other.
   */
  readonly keepsIds?: boolean
  /**
   * Gives standard columns their documented types: texts such as `channel` and `context_ip`, and times such as `timestamp`. RudderStack
   * gives them the type of the value, so that one odd first value decides for ever. Whole numbers beyond 64 bits are floats: no
   * column of whole numbers could have them.
   */
  readonly keepsTypes?: boolean
  /**
   * Keeps events away from what loads rely on: names that a load or a discard writes itself, such as the column `uuid_ts`
   * and the table `rudder_discards`, get `_` in front, and whole numbers beyond 64 bits are floats. RudderStack lets
   * events have these names, and calls such numbers int.
   */
  readonly guardsLoads?: boolean
  /** Stores arrays as arrays. Only ClickHouse. */
  readonly storesArrays?: boolean
  /** Writes merge rules of identities. Only Snowflake and BigQuery. */
  readonly resolvesIdentities?: boolean
}
