/** Who changed something over HTTP. */
export interface AuditEntry {
  readonly workspaceId: string
  /** The name of the access token. */
  readonly token: string
  /** The user name sent with the token, which is not checked; '' when there was none. */
  readonly user: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The status of the answer. */
  readonly status: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Remembers who changed what; for the newest entries only. */
export interface AuditLog {
  add(entry: AuditEntry): Promise<void>
  /** The newest entries first, at most `limit`. */
  list(workspaceId: string, limit: number): Promise<readonly AuditEntry[]>
}
