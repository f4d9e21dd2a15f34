import { basename, join, resolve } from 'node:path'
import type { Clock } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { errorCode } from '../deliver/error-code.ts'
import { withinTime } from '../deliver/within-time.ts'
import type { EraseLines } from '../erase/line-erasure.ts'
import { type ClosableTransport, hostOf, type TransportResult } from '../transport/transport.ts'
import { createFileEraser } from './file-eraser.ts'
import { linesOf } from './lines-of.ts'
import { type FilePolicy, RotatingFile } from './rotating-file.ts'

export interface FileSinkOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Files kept open between appends, for events may choose their names. Default 64. */
  readonly openFilesMax?: number
}

/** Appends lines to files of the name that follows `file:`, in the folder of the parameters. See `RotatingFile`. */
export function createFileSink({
  clock,
  openFilesMax = 64,
}: FileSinkOptions): ClosableTransport & { readonly eraseLines: EraseLines } {
  /** By path; the one used last is last. */
  const files = new Map<string, RotatingFile>()

  function fileFor(folder: string, name: string): RotatingFile {
    const path = join(folder, name)
    const file = files.get(path) ?? new RotatingFile(folder, name, clock)
    files.delete(path)
    files.set(path, file)
    return file
  }

  /** One that is busy stays: a second one on the same path would write between its lines. */
  async function closeTheOldest(): Promise<void> {
    for (const [path, file] of files) {
      if (files.size <= openFilesMax) return
      if (!file.isIdle) continue
      files.delete(path)
      // What it held is written: whether the handle closes well is of no consequence to this request.
      await file.close().catch(() => {})
    }
  }

  return {
    send: (request, options) =>
      withinTime(request, options, async (stopped): Promise<TransportResult> => {
        const target = targetOf(request)
        if (!target) return { kind: 'unsendable', code: 'ERR_INVALID_ARG_VALUE', message: 'That names no file.' }
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
  /** Absolute. */
  readonly folder: string
  readonly name: string
  readonly policy: FilePolicy
}

/** Whoever made the request: a name is one inside the folder, never a path. */
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
