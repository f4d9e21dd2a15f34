/** Who changed something over HTTP. */
export interface AuditEntry {
  readonly workspaceId: string
  /** The name of the access token. */
  readonly token: string
  /** The user name sent with the token, which is not checked; '' when there was none. */
  readonly user: string
  readonly method: string
  /** Without the query, except `validate=true`: such a call only checked. May be followed by what was changed. */
  readonly path: string
  /** The status of the answer. */
  readonly status: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** An entry as it is stored. */
export interface AuditRecord extends AuditEntry {
  /** Positive, and larger for entries that were added later. */
  readonly id: number
}

/** Which entries: those that match every member that is given. */
export interface AuditFilter {
  readonly token?: string
  readonly method?: string
  /** The beginning of the path. */
  readonly path?: string
  /** Milliseconds since the epoch: at this time or later, and before `until`. */
  readonly since?: number
  readonly until?: number
  /** Only entries with a smaller id: the id of the last one of the page before. */
  readonly before?: number
}

/** Remembers who changed what; for the newest entries only. */
export interface AuditLog {
  add(entry: AuditEntry): Promise<void>
  /** The newest entries first, at most `limit`. */
  list(workspaceId: string, limit: number, filter?: AuditFilter): Promise<readonly AuditRecord[]>
}

/** Returns whether a filter chooses an entry, for stores that look at each. */
export function isChosen(entry: AuditRecord, filter: AuditFilter = {}): boolean {
  const { token, method, path, since, until, before } = filter
  return (
    (token === undefined || entry.token === token) &&
    (method === undefined || entry.method === method) &&
    (path === undefined || entry.path.startsWith(path)) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until) &&
    (before === undefined || entry.id < before)
  )
}
