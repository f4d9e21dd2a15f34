import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { StoreFullError, systemClock } from '@sluice/core'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type AccessAttempts, type Attempt, createAccessAttempts } from '../gate/access/access-attempts.ts'
import { parseAuthorization } from '../gate/access/authorization.ts'
import { isSameSecret } from '../gate/access/same-secret.ts'
import { challengeFor } from '../gate/answer.ts'
import { problemSchema } from '../gate/problem-responses.ts'
import { type ApiErrorCode, apiError } from '../routing/api-errors.ts'
import { type Area, createArea } from '../routing/area.ts'
import { errorBody } from '../routing/error-body.ts'
import type { ResponseDescription } from '../routing/route.ts'

const copyHeaders = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment; filename="sluice.db"',
}

export interface BackupAreaOptions {
  /** Admin credentials of the data plane: a backup contains all workspaces. Both must be non-blank. */
  readonly admin: { readonly user: string; readonly password: string }
  /** See `TokenGateOptions.attempts`. */
  readonly attempts?: AccessAttempts
  /** Writes a copy of the store to a new file, which the caller deletes. Absent when the store is in memory. */
  readonly backup?: () => Promise<string>
  /** Time limit of a download; default one hour. */
  readonly timeMsMax?: number
}

/**
 * `GET /v1/backup`: a consistent copy of the whole store, one at a time, with the admin credentials. The copy is first
 * written to the disk of the store. It is deleted when the answer ends, also after a failure.
 *
 * @throws RangeError when a credential is blank.
 */
export function createBackupArea({
  admin,
  attempts = createAccessAttempts({ clock: systemClock }),
  backup,
  timeMsMax = 3_600_000,
}: BackupAreaOptions): Area {
  if (admin.user === '' || admin.password === '')
    throw new RangeError('the backup area needs an admin user and password; both must be non-blank')
  let isRunning = false

  const enter = (c: Context): Promise<Attempt<true>> => {
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
    // Unlink the file now: nothing is left over if the process is killed, and the open handle can still read it.
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
      // The next backup uses the same file name, so it must not start before this file is gone.
      void rm(path, { force: true })
        .catch(() => {})
        .finally(() => {
          isRunning = false
        })
    })
    // A client that aborts gets no error.
    bytes.on('error', () => {})
    if (signal.aborted) end()
    return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
      headers: { ...copyHeaders, 'content-length': String(size) },
    })
  }

  const answers = ['unauthorized', 'attemptsTooMany', 'backupRunning', 'backupUnsupported', 'unavailable'] as const
  return createArea([
    {
      method: 'get',
      path: '/v1/backup',
      operationId: 'getBackup',
      summary: 'Download a copy of the whole store with all workspaces',
      area: 'Service',
      credential: 'admin',
      responses: {
        ...Object.fromEntries(
          answers.map((code): [number, ResponseDescription] => [apiError(code).status, refusal(code)]),
        ),
        200: { description: 'An SQLite file that can replace the file of the store.' },
      },
      handle: async (c) => {
        const attempt = await enter(c)
        if (!attempt.ok) {
          if (attempt.retryAfterSeconds !== undefined) {
            c.header('retry-after', String(attempt.retryAfterSeconds))
            return problem(c, 'attemptsTooMany', apiError('attemptsTooMany').summary)
          }
          c.header('www-authenticate', challengeFor(c))
          return problem(c, 'unauthorized', 'send the admin credentials of the data plane')
        }
        if (backup === undefined)
          return problem(c, 'backupUnsupported', 'the store is in memory: there is nothing to copy')
        // For HEAD no copy is created, because no client would read it.
        if (c.req.raw.method === 'HEAD') return c.body(null, 200, copyHeaders)
        if (isRunning) return problem(c, 'backupRunning', 'a backup is already running; try again when it is done')
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
  return c.json(errorBody(code, message), apiError(code).status as ContentfulStatusCode)
}

function refusal(code: ApiErrorCode): ResponseDescription {
  return { description: apiError(code).summary, schema: problemSchema }
}
