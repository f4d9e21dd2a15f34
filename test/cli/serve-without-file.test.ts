import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'

let cwd: string
const started: RunningCommand[] = []

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-serve-'))
})

afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL')
  rmSync(cwd, { recursive: true })
})

/** Starts a server without a workspace file. */
async function serve(env: NodeJS.ProcessEnv = {}) {
  const command = startCommand(['serve', '--port', '0', '--data', '.'], { cwd, env })
  started.push(command)
  const [, url = ''] = await command.printed(/Serving on (\S+)/)
  const call = (token: string, path: string, body?: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}` },
      body: body ? JSON.stringify(body) : undefined,
    })
  const stop = async () => {
    command.child.kill('SIGTERM')
    return command.ended
  }
  return { command, call, stop }
}

describe('sluice serve without a workspace file', () => {
  it('prints an admin token at the first start only, and serves what was configured with it', async () => {
    const first = await serve()
    const [, token = ''] = await first.command.logged(/"adminToken":"([^"]+)","msg":"admin token \(shown only now\)"/)
    expect(await (await first.call(token, '/v2/workspace')).json()).toMatchObject({ workspace: { id: 'default' } })
    expect((await first.call(token, '/v2/sources', { id: 'web', writeKey: 'web-key' })).status).toBe(201)
    expect((await first.call(token, '/v2/tokens', { name: 'ci' })).status).toBe(201)
    await first.stop()
    // What goes to standard error is JSON, line by line, as in a log that is collected.
    const { stderr: logged } = await first.command.ended
    for (const line of logged.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
    const second = await serve()
    expect(await (await second.call(token, '/v2/sources')).json()).toMatchObject({ sources: [{ id: 'web' }] })
    const { stderr, stdout } = await second.stop()
    expect(stderr + stdout).not.toContain('admin token')
  })

  it('does not start with an admin token that can be guessed', async () => {
    const { status, stderr } = await runCommand(['serve', '--port', '0', '--data', '.'], {
      cwd,
      env: { SLUICE_ADMIN_TOKEN: 'guess-me' },
    })
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('SLUICE_ADMIN_TOKEN has 8 characters; set 16 or more'),
    ])
    expect(stderr).not.toContain('guess-me')
  })

  it('takes the admin token from SLUICE_ADMIN_TOKEN instead', async () => {
    const { call, stop } = await serve({ SLUICE_ADMIN_TOKEN: 'of-the-environment' })
    expect((await call('of-the-environment', '/v2/tokens')).status).toBe(200)
    const { stderr, stdout } = await stop()
    expect(stderr + stdout).not.toMatch(/shown only now|of-the-environment/)
  })
})
