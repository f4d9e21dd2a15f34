import { tmpdir } from 'node:os'
import { errorTexts } from '@sluice/http/error-texts'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

const cwd = tmpdir()

describe('sluice explain', () => {
  it('says what happened, why and what to do, without a server', async () => {
    const { status, stdout } = await runCommand(['explain', 'transform.timeout'], { cwd })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^transform\.timeout\n\nWhat happened:\n.+\n\nWhy:\n.+\n\nWhat to do:\n.+\n\nExample:\n.+/s)
    expect(stdout).not.toContain('](')
  })

  it('lists all codes, and prints JSON', async () => {
    const listed = await runHosted(['explain', '--json'], { cwd })
    expect(JSON.parse(listed.stdout)).toEqual(Object.keys(errorTexts))
    const one = await runHosted(['explain', 'unauthorized', '--json'], { cwd })
    expect(JSON.parse(one.stdout)).toEqual({ code: 'unauthorized', ...errorTexts.unauthorized })
  })

  it.each([
    ['transform.timeot', /did you mean transform\.timeout\?/],
    ['nothing-like-it', /sluice explain lists all/],
  ])('refuses %s, and says what there is', async (code, message) => {
    expect(await runHosted(['explain', code], { cwd })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(message),
    })
  })
})
