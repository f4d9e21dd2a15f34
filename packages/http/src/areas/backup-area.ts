import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { StoreFullError, systemClock } from '@sluice/core'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type AccessAttempts, type Attempt, createAccessAttempts } from '../gate/access-attempts.ts'
import { parseAuthorization } from '../gate/authorization.ts'
import { isSameSecret } from '../gate/same-secret.ts'
import { problemSchema } from '../gate/token-gate.ts'
import { type ApiErrorCode, apiError } from '../routing/api-errors.ts'
import { type Area, createArea, type ResponseDescription } from '../routing/route.ts'

export interface BackupAreaOptions {
  /** Of the whole data plane: a backup holds all workspaces. Neither may be blank. */
  readonly admin: { readonly user: string; readonly password: string }
  /** As `TokenGateOptions.attempts`. */
  readonly attempts?: AccessAttempts
  /** Writes a copy of the store to a file of its own, which belongs to the caller. Absent when there is nothing to copy. */
  readonly backup?: () => Promise<string>
  /** How long a client may take; default one hour. */
  readonly timeMsMax?: number
}

/**
 * `GET /v1/backup`: a consistent copy of the whole store, with the admin credentials, one at a time. The copy is made on
 * the disk of the store first; it is removed when the answer ends, however it ends.
 *
 * @throws RangeError when a credential is blank.
 */
export function createBackupArea({
  admin,
  attempts = createAccessAttempts({ clock: systemClock }),
  backup,
  timeMsMax = 3_600_000,
}: BackupAreaOptions): Area {
  if (admin.user === '' || admin.password === '') throw new RangeError('a backup needs an admin user and password')
  let isRunning = false

  const enter = (c: Context): Attempt<true> => {
    const { user = '', secret = '' } = parseAuthorization(c.req.header('authorization')) ?? {}
    return attempts.enter(c, user, () => {
      const userMatches = isSameSecret(user, admin.user)
      const passwordMatches = isSameSecret(secret, admin.password)
      return userMatches && passwordMatches ? true : undefined
    })
  }

  const stream = async (make: () => Promise<string>, signal: AbortSignal): Promise<Response> => {
    const path = await make()
    const file = await open(path).catch(async (error) => {
      await rm(path, { force: true })
      throw error
    })
    const { size } = await file.stat()
    // Its name goes at once, so that nothing is left when the process is killed; the bytes go with the last reader.
    await rm(path, { force: true }).catch(() => {})
    const bytes = file.createReadStream()
    const end = (): void => {
      bytes.destroy()
    }
    const timer = setTimeout(end, timeMsMax)
    timer.unref()
    signal.addEventListener('abort', end)
    bytes.once('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      // The next one has the same name: it is not begun before this one is gone.
      void rm(path, { force: true })
        .catch(() => {})
        .finally(() => {
          isRunning = false
        })
    })
    // Who cuts it off is told nothing more.
    bytes.on('error', () => {})
    if (signal.aborted) end()
    return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': 'attachment; filename="sluice.db"',
      },
    })
  }

  const answers = ['unauthorized', 'attemptsTooMany', 'backupRunning', 'backupUnsupported', 'unavailable'] as const
  return createArea([
    {
      method: 'get',
      path: '/v1/backup',
      operationId: 'getBackup',
      summary: 'A copy of the whole store, all workspaces included',
      area: 'Service',
      credential: 'admin',
      responses: {
        ...Object.fromEntries(
          answers.map((code): [number, ResponseDescription] => [apiError(code).status, refusal(code)]),
        ),
        200: { description: 'An SQLite file, which can be put in the place of the store.' },
      },
      handle: async (c) => {
        const attempt = enter(c)
        if (!attempt.ok) {
          if (attempt.retryAfterSeconds !== undefined) {
            c.header('retry-after', String(attempt.retryAfterSeconds))
            return problem(c, 'attemptsTooMany', apiError('attemptsTooMany').summary)
          }
          c.header('www-authenticate', 'Basic realm="sluice"')
          return problem(c, 'unauthorized', 'give the admin credentials of the data plane')
        }
        // A HEAD would make a copy that nobody reads.
        if (c.req.raw.method !== 'GET') return c.body(null, 405, { allow: 'GET' })
        if (backup === undefined)
          return problem(c, 'backupUnsupported', 'the store is in memory: there is nothing to copy')
        if (isRunning) return problem(c, 'backupRunning', 'a backup is being made; ask again when it is done')
        isRunning = true
        try {
          return await stream(backup, c.req.raw.signal)
        } catch (error) {
          isRunning = false
          if (error instanceof StoreFullError) return problem(c, 'unavailable', error.message)
          throw error
        }
      },
    },
  ])
}

function problem(c: Context, code: ApiErrorCode, message: string): Response {
  return c.json({ message, code }, apiError(code).status as ContentfulStatusCode)
}

function refusal(code: ApiErrorCode): ResponseDescription {
  return { description: apiError(code).summary, schema: problemSchema }
}
