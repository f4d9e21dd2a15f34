import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionKeep } from '@sluice/http'
import type { Logger } from 'pino'

/**
 * Returns where sessions of the studio are kept: `studio-sessions.json` in the folder of the store, for its owner only. A
 * file that cannot be read or written is logged, and sessions then end with the process.
 */
export function sessionFile(folder: string, log: Logger): SessionKeep {
  const path = join(folder, 'studio-sessions.json')
  return {
    read: () => {
      try {
        return readFileSync(path, 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn({ path, err: error }, 'cannot read sessions')
        return undefined
      }
    },
    write: (text) => {
      try {
        mkdirSync(folder, { recursive: true })
        writeFileSync(`${path}.new`, text, { mode: 0o600 })
        renameSync(`${path}.new`, path)
      } catch (error) {
        log.warn({ path, err: error }, 'cannot keep sessions: the studio signs everyone out when the process restarts')
      }
    },
  }
}
