/**
 * What ingestion reads of a request: a `Request` has it, and so has one of Node's server, which need not become a `Request`
 * for that.
 */
export interface PlainRequest {
  readonly url: string
  readonly headers: PlainHeaders
  /** Null also where Node's own request is read in its place. */
  readonly body: Request['body']
}

/** The headers of a request by their names. */
export type PlainHeaders = Pick<Headers, 'get'>
