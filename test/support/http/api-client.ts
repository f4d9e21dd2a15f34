import { createHash } from 'node:crypto'
import { documented, type Handler } from './documented.ts'

/** An access token as a workspace declares it. */
export const hashOf = (token: string): string => `sha256:${createHash('sha256').update(token).digest('hex')}`

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Members of responses that tests use in later requests; they assert all others. */
export interface ApiBody {
  readonly id: string
  readonly versionId: string
  readonly code: string
  readonly message: string
  readonly transformations: readonly ApiBody[]
  readonly libraries: readonly ApiBody[]
  readonly [member: string]: unknown
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty when the response is not JSON. */
  readonly body: ApiBody
}

/** Calls the API as its clients do; every response is checked against the OpenAPI document. */
export interface ApiClient {
  get(path: string): Promise<ApiAnswer>
  post(path: string, body?: unknown): Promise<ApiAnswer>
  put(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>
  delete(path: string, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>
  /** The same client with another `Authorization`. */
  as(authorization: string): ApiClient
}

export async function createApiClient(handler: Handler, authorization: string): Promise<ApiClient> {
  const api = await documented(handler)
  const clientOf = (credentials: string): ApiClient => {
    const send = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<ApiAnswer> => {
      const response = await api.fetch(
        new Request(`http://sluice.test${path}`, {
          method,
          headers: { ...headers, authorization: credentials },
          body: body === undefined ? undefined : JSON.stringify(body),
        }),
      )
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: (isJson ? JSON.parse(text) : {}) as ApiBody,
      }
    }
    return {
      get: (path) => send('GET', path),
      post: (path, body) => send('POST', path, body),
      put: (path, body, headers) => send('PUT', path, body, headers),
      delete: (path, headers) => send('DELETE', path, undefined, headers),
      as: clientOf,
    }
  }
  return clientOf(authorization)
}
