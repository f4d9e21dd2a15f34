import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import type { LineSearch, LinesCounted } from '../../transport/erasure/line-erasure.ts'
import { errorCode } from '../../transport/error-code.ts'
import { entriesOf, unlessGone } from './file-eraser.ts'
import { createLineFilter } from './line-filter.ts'
import { unfinishedFor } from './replace-file.ts'
import { rotatedName } from './rotating-file.ts'

/** Counts lines in rotated files, including the current one and what an interrupted erasure has left. */
export async function countFileLines({ place, userIdAt, userIds, signal }: LineSearch): Promise<LinesCounted> {
  const folder = resolve(String(place.params['folder']))
  const wanted = place.endpoint.slice('file:'.length)
  const filter = createLineFilter(userIds, userIdAt)
  let count = 0
  try {
    for (const entry of await entriesOf(folder)) {
      signal.throwIfAborted()
      const name = rotatedName(unfinishedFor(entry) ?? entry)?.name
      if (name === undefined || (wanted !== '' && name !== wanted)) continue
      count += (await filter.count(createReadStream(join(folder, entry), { signal })).catch(unlessGone)) ?? 0
    }
    return { ok: true, count }
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, reason: `files cannot be read (${errorCode(error)})` }
  }
}
