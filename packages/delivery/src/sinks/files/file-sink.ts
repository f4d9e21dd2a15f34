import { basename, join, resolve } from 'node:path'
import type { Clock } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import type { EraseLines } from '../../transport/erasure/line-erasure.ts'
import { errorCode } from '../../transport/error-code.ts'
import { withinTime } from '../../transport/time/within-time.ts'
import { type ClosableTransport, hostOf, type TransportResult } from '../../transport/transport.ts'
import { createFileEraser } from './file-eraser.ts'
import { linesOf } from './lines-of.ts'
import { type FilePolicy, RotatingFile } from './rotating-file.ts'

export interface FileSinkOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Maximum of files kept open between appends, since events may choose their names. Default 64. */
  readonly openFilesMax?: number
}

/**
 * Creates a sink that appends lines to the files named after `file:`, in the folder given in `params`. See
 * `RotatingFile`.
 */
export function createFileSink({
  clock,
  openFilesMax = 64,
}: FileSinkOptions): ClosableTransport & { readonly eraseLines: EraseLines } {
  /** Files by path, most recently used last. */
  const files = new Map<string, RotatingFile>()

  function fileFor(folder: string, name: string): RotatingFile {
    const path = join(folder, name)
    const file = files.get(path) ?? new RotatingFile(folder, name, clock)
    files.delete(path)
    files.set(path, file)
    return file
  }

  /** Closes the least recently used idle file. A busy one stays: a second writer for its path would mix their lines. */
  async function closeTheOldest(): Promise<void> {
    for (const [path, file] of files) {
      if (files.size <= openFilesMax) return
      if (!file.isIdle) continue
      files.delete(path)
      // Its lines are written, so a failure to close it does not matter to this request.
      await file.close().catch(() => {})
    }
  }

  return {
    send: (request, options) =>
      withinTime(request, options, async (stopped): Promise<TransportResult> => {
        const target = targetOf(request)
        if (!target)
          return {
            kind: 'unsendable',
            code: 'ERR_INVALID_ARG_VALUE',
            message:
              'The endpoint must be file: and a plain name; params must have folder, rotateBytes and rotateMinutes.',
          }
        try {
          await fileFor(target.folder, target.name).append(linesOf(request), target.policy, stopped)
          await closeTheOldest()
          return { kind: 'reply', status: 200, headers: {}, body: '' }
        } catch (error) {
          const code = errorCode(error)
          return { kind: 'network', code, message: `${hostOf(request)} cannot be written (${code}).` }
        }
      }),
    eraseLines: createFileEraser(fileFor),
    async close() {
      const open = [...files.values()]
      files.clear()
      await Promise.all(open.map((file) => file.close()))
    },
  }
}

interface Target {
  /** Absolute path. */
  readonly folder: string
  readonly name: string
  readonly policy: FilePolicy
}

/**
 * Returns the target of a request, or undefined when it is invalid. The name must be a plain file name, never a path.
 */
function targetOf({ endpoint, params }: DeliveryRequest): Target | undefined {
  const name = endpoint.slice('file:'.length)
  const { folder, rotateBytes, rotateMinutes, fsync } = params
  if (name === '' || name.startsWith('.') || name !== basename(name) || /[\\\0]/.test(name)) return undefined
  if (typeof folder !== 'string' || typeof rotateBytes !== 'number' || typeof rotateMinutes !== 'number')
    return undefined
  return {
    folder: resolve(folder),
    name,
    policy: { rotateBytes, rotateMs: rotateMinutes * 60_000, fsync: fsync !== false },
  }
}
