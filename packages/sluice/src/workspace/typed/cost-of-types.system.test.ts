import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Another process, and the built declarations, as programs that embed Sluice have them.

const own = resolve(import.meta.dirname, '../../..')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-types-'))
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(own, join(folder, 'node_modules/sluice'))
  symlinkSync(resolve(own, '../../node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const types = ['WEBHOOK', 'SLACK', 'HTTP', 'POSTGRES', 'CONSOLE']
const settings: Readonly<Record<string, string>> = {
  WEBHOOK: "{ webhookUrl: 'https://a.test/', webhookMethod: 'PUT', headers: [{ from: 'a', to: 'b' }] }",
  SLACK: "{ webhookUrl: 'https://a.test/' }",
  HTTP: "{ apiUrl: 'https://a.test/' }",
  POSTGRES: "{ host: 'a.test', database: 'd', user: 'u', password: 'p' }",
  CONSOLE: '{}',
}
const entry = (n: number): string => {
  const type = types[n % types.length] ?? ''
  return `{ id: 'd${n}', type: '${type}', settings: ${settings[type]} },`
}
const numbers = Array.from({ length: 20 }, (_, n) => n)
const large = `createSluice({
  workspace: {
    id: 'shop',
    sources: [{ id: 'web', writeKey: 'k' }],
    destinations: [${numbers.map(entry).join('\n')}],
    connections: [${numbers.map((n) => `{ source: 'web', destination: 'd${n}' },`).join('\n')}],
  },
})`

describe('the types of a workspace', () => {
  it('cost the check of a program with twenty destinations a few thousand steps', async () => {
    const { errors, types: made, instantiations } = await checked(large)
    expect(errors).toBe('')
    // Twice what they are now: some 20 ms with TypeScript 7, 350 ms with TypeScript 6.
    expect(made).toBeLessThan(4_000)
    expect(instantiations).toBeLessThan(4_500)
  })

  it('name the mistake', async () => {
    const wrong = large
      .replace("'WEBHOOK'", "'WEBHOK'")
      .replace("'PUT'", "'PTU'")
      .replace("destination: 'd3'", "destination: 'd33'")
    const { errors } = await checked(wrong)
    expect(errors).toMatch(/'"WEBHOK"' is not assignable .* Did you mean '"WEBHOOK"'\?/)
    expect(errors).toMatch(/'"d33"' is not assignable to type '"d0" \| "d1" /)
  })
})

interface Checked {
  readonly errors: string
  readonly types: number
  readonly instantiations: number
}

async function checked(program: string): Promise<Checked> {
  writeFileSync(join(folder, 'program.ts'), `import { createSluice } from 'sluice'\n${program}\n`)
  const flags = '--ignoreConfig --noEmit --strict --skipLibCheck --target es2023 --module nodenext --types node'
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [compiler, ...flags.split(' '), '--extendedDiagnostics', 'program.ts'],
    { cwd: folder, timeout: 60_000 },
  ).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  const count = (name: string): number => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(stdout)?.[1])
  return {
    errors: stdout
      .split('\n')
      .filter((line) => line.includes('error TS'))
      .join('\n'),
    types: count('Types'),
    instantiations: count('Instantiations'),
  }
}
