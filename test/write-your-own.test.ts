import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './support/free-port.ts'

const root = resolve(import.meta.dirname, '..')
const guide = readFileSync(join(root, 'packages/destinations/WRITE-YOUR-OWN.md'), 'utf8')

/** Inside the test package, where the packages resolve as they do after an installation. */
const folder = join(import.meta.dirname, 'dist/write-your-own')
const ports = new Map<string, number>()
const running: { readonly process: ChildProcess; output: string }[] = []

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const bin = join(root, 'packages/sluice/bin/sluice.js')
  writeFileSync(join(folder, 'bin/sluice'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
  chmodSync(join(folder, 'bin/sluice'), 0o755)
  for (const port of ['9000', '8080']) ports.set(port, await freePort())
})
afterAll(() => {
  for (const each of running) each.process.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Text of the guide with ports that are free here. */
function here(text: string): string {
  return text.replaceAll(/\b(9000|8080)\b/g, (port) => String(ports.get(port)))
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/**
 * Runs a line as a reader would in the folder; a line that ends in `&` keeps running, and this resolves when it has
 * printed something.
 */
async function runLine(line: string): Promise<string> {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  if (!line.endsWith('&')) {
    const { stdout } = await promisify(execFile)('sh', ['-c', here(line)], { cwd: folder, env })
    return stdout
  }
  const child = spawn('sh', ['-c', `exec ${here(line).slice(0, -1)}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const started = { process: child, output: '' }
  running.push(started)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    started.output += text
  })
  await until(() => /receiving|Serving on/.test(started.output))
  return started.output
}

const blocks = [...guide.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```/gms)].map(([, language = '', file, text = '']) => ({
  language,
  file,
  text,
}))

describe('the guide to a destination of your own', () => {
  it('leads from an empty folder to events that arrive, with its own files and commands', async () => {
    const outputs: string[] = []
    for (const { language, file, text } of blocks) {
      if (file !== undefined) writeFileSync(join(folder, file), here(text))
      else if (language === 'sh')
        for (const line of text.trim().split('\n')) {
          outputs.push(await runLine(line))
          // A reader sees the event arrive, and then continues; the next line suppresses its user.
          if (line.includes('/v1/track')) await until(() => (running[0]?.output ?? '').includes('}'))
        }
    }
    const [created = '', mapped = '', tested = '', , , sent, regulated] = outputs
    const [first, second] = mapped
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(created).toContain('my-product/my-product.test.js')
    expect(first.requests).toMatchObject([
      { endpoint: 'https://chat.test/messages', body: { JSON: { room: 'news', title: 'Order Placed' } } },
    ])
    expect(mapped).not.toContain('secret')
    expect(second.outcome).toBe('passed')
    expect(tested).toMatch(/pass 1\b/)
    expect(sent?.toLowerCase()).toBe('ok')

    expect(regulated).toBe('Created')

    const printed = [...guide.matchAll(/prints `([^`]+)`/g)].map(([, line]) => line)
    const wanted = `receiving\n${printed.join('\n')}\n`
    await until(() => (running[0]?.output ?? '').length >= wanted.length)
    expect(running[0]?.output).toBe(wanted)
  }, 60_000)

  it('has commands and files of every kind', () => {
    expect(blocks.filter(({ language }) => language === 'sh')).toHaveLength(5)
    expect(blocks.map(({ file }) => file).filter(Boolean)).toHaveLength(8)
  })
})
