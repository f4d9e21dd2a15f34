import { exec, execFile, execFileSync, fork, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import timers from 'node:timers'
import { scheduler, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { systemFolders } from './projects.ts'

describe('the fast project', () => {
  it('leaves out only folders that exist', () => {
    expect(systemFolders.filter((folder) => !existsSync(resolve(import.meta.dirname, folder)))).toEqual([])
  })

  it.each([
    ['spawn', () => spawn(process.execPath, ['--version'])],
    ['fork', () => fork('nothing.js')],
    ['exec', () => exec('true')],
    ['execFile as a promise', () => promisify(execFile)(process.execPath, ['--version'])],
    ['spawnSync', () => spawnSync(process.execPath, ['--version'])],
    ['execFileSync', () => execFileSync(process.execPath, ['--version'])],
  ])('refuses a test that starts a process by %s', async (_, start) => {
    await expect(async () => start()).rejects.toThrow('starts no process')
  })

  it.each([
    ['setTimeout', () => setTimeout(() => {}, 51)],
    ['setInterval', () => setInterval(() => {}, 51)],
    ['setTimeout of node:timers', () => timers.setTimeout(() => {}, 51)],
    ['setTimeout as a promise', () => sleep(51)],
    ['a promisified setTimeout', () => promisify(setTimeout)(51)],
    ['scheduler.wait', () => scheduler.wait(51)],
    ['AbortSignal.timeout', () => AbortSignal.timeout(51)],
    ['Atomics.wait', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 51)],
  ])('refuses a test that sleeps by %s', async (_, wait) => {
    await expect(async () => wait()).rejects.toThrow('never sleeps, got a timer of 51 ms')
  })

  it('lets a turn of a server pass', async () => {
    await sleep(1)
    await scheduler.wait(1)
  })
})
