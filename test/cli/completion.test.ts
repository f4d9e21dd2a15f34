import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHosted } from '../support/processes/command-host.ts'

let cwd: string
const scripts: Record<string, string> = {}
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'sluice-completion-'))
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = await runHosted(['completion', shell], { cwd })
    expect(status).toBe(0)
    scripts[shell] = stdout
    writeFileSync(join(cwd, shell), stdout)
  }
})
afterAll(() => rmSync(cwd, { recursive: true }))

/** What bash offers after these words; the last one is being typed. */
function offered(...words: string[]): readonly string[] {
  return offeredWith({}, ...words)
}
function offeredWith(env: NodeJS.ProcessEnv, ...words: string[]): readonly string[] {
  const script = `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`
  const text = execFileSync('bash', ['-c', script, 'bash', 'sluice', ...words], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return text.split('\n').filter((line) => line !== '')
}

describe('bash', () => {
  it('completes commands and their subcommands', () => {
    expect(offered('re')).toEqual(expect.arrayContaining(['repl', 'replay', 'regulations']))
    expect(offered('dead-letters', '')).toEqual(expect.arrayContaining(['list', 'show', 'replay', 'remove']))
    expect(offered('dead-letters', 'l')).toEqual(['list'])
  })
  it('completes the options of a command, and their values where there are few', () => {
    expect(offered('run', '--iso')).toEqual(['--isolation'])
    expect(offered('run', '--isolation', '')).toEqual(['event', 'batch', 'none'])
    expect(offered('run', '--isolation', 'batch', '--ev')).toEqual(expect.arrayContaining(['--events', '--event-time']))
    expect(offered('completion', 'z')).toEqual(['zsh'])
  })
  it('completes destination types, and the ids of a server that its profile names', () => {
    expect(offered('destinations', 'create', '--type', 'WEBH')).toEqual(['WEBHOOK'])
    expect(offered('destination-types', 'show', 'WEBH')).toEqual(['WEBHOOK'])
    // A command of that name in place of the real one, which would ask a server.
    const bin = join(cwd, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'sluice'), '#!/bin/sh\n[ "$1" = complete-ids ] && echo "$2-1"\n', { mode: 0o755 })
    const path = `${bin}:${process.env['PATH']}`
    expect(offeredWith({ PATH: path }, 'sources', 'show', '')).toContain('sources-1')
    expect(offeredWith({ PATH: path }, 'connections', 'create', '--source', '')).toEqual(['sources-1'])
    expect(offeredWith({ PATH: path }, 'transformations', 'connect', 'd')).toEqual(['destinations-1'])
    expect(offered('complete-')).toEqual([])
    for (const shell of ['zsh', 'fish']) expect(scripts[shell]).toContain('sluice complete-ids sources 2>/dev/null')
  })
  it('leaves files to the shell where anything is allowed, so that a folder named like a command is completed as a folder', () => {
    expect(offered('run', '--events', 'ev')).toEqual([])
    expect(offered('repl', 'ev')).toEqual([])
    const registered = execFileSync('bash', ['-c', 'source ./bash; complete -p sluice'], { cwd, encoding: 'utf8' })
    expect(registered).toBe('complete -o default -F _sluice sluice\n')
  })
})

describe.each(['zsh', 'fish'])('%s', (shell) => {
  it('has every command and option that bash has', () => {
    const words = offered('').filter((word) => /^[a-z-]+$/.test(word))
    expect(words.length).toBeGreaterThan(10)
    for (const word of words) {
      expect(scripts[shell]).toContain(word.replace(/^--/, ''))
      for (const option of offered(word, '--')) expect(scripts[shell]).toContain(option.replace(/^--/, ''))
    }
  })
})
