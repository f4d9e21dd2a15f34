import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { systemFolders } from './projects.ts'

describe('the fast project', () => {
  it('leaves out only folders that exist', () => {
    expect(systemFolders.filter((folder) => !existsSync(resolve(import.meta.dirname, folder)))).toEqual([])
  })

  it('refuses a test that starts a process', () => {
    expect(() => spawn(process.execPath, ['--version'])).toThrow('starts no process')
  })

  it('refuses a test that sleeps', async () => {
    expect(() => setTimeout(() => {}, 51)).toThrow('never sleeps, got a timer of 51 ms')
    expect(() => sleep(1_000)).toThrow('never sleeps, got a timer of 1000 ms')
    await sleep(1)
  })
})
