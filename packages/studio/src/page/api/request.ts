/** Error answer of the API: `code` is for programs, the message for people. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown

  constructor(status: number, code: string, message: string, details?: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** Longest wait for an answer, in milliseconds. */
const waitMs = 30_000

interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Longest wait, for calls that take long. */
  readonly waitMs?: number
}

/** Marks requests of this page: see the gate of the server, which accepts its cookie only with this header. */
export const pageHeaders = { 'x-sluice-studio': '1' } as const

/** Listeners that are called when the session has ended. */
const onSignedOut = new Set<() => void>()

/** @returns how to stop listening. */
export function whenSignedOut(listener: () => void): () => void {
  onSignedOut.add(listener)
  return () => onSignedOut.delete(listener)
}

/**
 * Calls the API and returns the body of its answer, undefined where there is none.
 * @throws ApiError for an error answer; also when the server cannot be reached, with status 0.
 */
export async function request<Body>(path: string, options: RequestOptions = {}): Promise<Body> {
  const { method = 'GET', body, headers, signal } = options
  const limit = AbortSignal.timeout(options.waitMs ?? waitMs)
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: { ...pageHeaders, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    const text = limit.aborted ? 'The server did not answer in time.' : 'The server cannot be reached.'
    throw new ApiError(0, 'unreachable', text)
  }
  const text = await response.text()
  const parsed = parse(text)
  if (response.ok) return parsed as Body
  if (response.status === 401 && path !== '/studio/session') for (const listener of onSignedOut) listener()
  const { code = 'unknown', message = text || response.statusText, details } = Object(parsed)
  throw new ApiError(response.status, String(code), String(message), details)
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
