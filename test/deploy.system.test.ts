import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startCommand } from './support/processes/command.ts'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'packages/sluice/deploy')
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

interface Service {
  readonly command: readonly string[]
  readonly volumes: readonly string[]
  readonly stop_grace_period: string
  readonly read_only: boolean
  readonly cap_drop: readonly string[]
}
const { services } = parse(textOf('compose.yaml')) as { services: { readonly sluice: Service } }

interface Build {
  readonly context: string
  readonly dockerfile: string
}

/** Runs one step as the shell of an image does, and returns what it prints. @throws Error with what it printed when it fails. */
function shell(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    // Packing and installing all packages takes two minutes; this only ends a step that hangs.
    timeout: 360_000,
  })
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`)
  return stdout
}

/** Returns the arguments of one instruction in the form of JSON; that of the health check has the same name, and is earlier. */
function instruction(name: string): readonly string[] {
  const found = [...textOf('Dockerfile').matchAll(new RegExp(`^(?:HEALTHCHECK .*)?${name} (\\[.*\\])$`, 'gm'))].at(-1)
  return JSON.parse(found?.[1] ?? '[]')
}

const commands = {
  Dockerfile: instruction('CMD'),
  'compose.yaml': services.sluice.command,
  'sluice.service': /^ExecStart=\S+ \S+ (.*)$/m.exec(textOf('sluice.service'))?.[1]?.split(' ') ?? [],
}

describe('files to run Sluice as a service', () => {
  it('has a Dockerfile without complaints of a linter, that gives up rights before it starts', () => {
    expect(validate('FROM node\nRUM true').length).toBeGreaterThan(0)
    expect(validate(textOf('Dockerfile')).map(({ message }) => message)).toEqual([])
    const lines = textOf('Dockerfile').split('\n')
    expect(lines.indexOf('USER 1000:1000')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('FROM')))
  })

  it('has a unit that systemd understands', (context) => {
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'sluice.service')], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    if (error) return context.skip('systemd-analyze is not installed')
    // Where node is in another folder, that is all it says.
    const complaints = stderr.split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node'))
    expect([complaints, stderr.includes('/usr/bin/node') ? 0 : status]).toEqual([[], 0])
  })

  it('gives a process more time to stop than it takes by default', () => {
    expect(services.sluice.stop_grace_period).toBe('20s')
    expect(textOf('sluice.service')).toContain('TimeoutStopSec=20\n')
  })

  it('writes nowhere but into its volume, and takes configuration as a folder, whose files can be replaced', () => {
    const { read_only, cap_drop, volumes } = services.sluice
    expect([read_only, cap_drop]).toEqual([true, ['ALL']])
    expect(volumes).toEqual(['./configuration:/etc/sluice:ro', 'data:/var/lib/sluice'])
    expect(textOf('Dockerfile')).toContain('VOLUME ["/var/lib/sluice"]')
  })

  it('reloads the unit by the signal that applies a changed workspace file', () => {
    expect(textOf('sluice.service')).toMatch(/^ExecReload=\S*kill -HUP \$MAINPID$/m)
  })

  it('builds its image from the checkout that it is in, as nothing is published yet', () => {
    const compose = parse(textOf('compose.yaml')) as { services: { sluice: { build: Build } } }
    const cluster = parse(readFileSync(join(root, 'packages/docs/guides/cluster/compose.yaml'), 'utf8')) as {
      readonly 'x-sluice': { readonly build: Build }
    }
    for (const [at, { context, dockerfile }] of [
      [folder, compose.services.sluice.build],
      [join(root, 'packages/docs/guides/cluster'), cluster['x-sluice'].build],
    ] as const) {
      expect(resolve(at, context)).toBe(root)
      expect(resolve(root, dockerfile)).toBe(join(folder, 'Dockerfile'))
    }
    const ignored = textOf('Dockerfile.dockerignore').split('\n')
    for (const made of ['**/node_modules', '**/dist']) expect(ignored).toContain(made)
  })

  it('packs and installs all packages as the steps of the Dockerfile say, and what is installed runs', {
    timeout: 400_000,
  }, async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-image-')))
    const packed = join(cwd, 'tarballs')
    try {
      const [build = '', install = ''] = [...textOf('Dockerfile').matchAll(/^RUN (npm .*)$/gm)].map(([, run]) => run)
      expect(build).toBe('npm run --silent tarballs')
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      // The steps before it install and build, which has been done here.
      const pack = (scripts.tarballs as string).split(' && ').at(-1) ?? ''
      expect(pack).toContain('--pack-destination dist/tarballs')
      expect(textOf('Dockerfile')).toContain('COPY --from=build /checkout/dist/tarballs /tarballs\n')
      shell(pack.replace('dist/tarballs', packed), root)
      mkdirSync(join(cwd, 'srv'))
      // An older Node would compile the driver of SQLite, for minutes.
      const env = { npm_config_ignore_scripts: 'true', npm_config_prefer_offline: 'true', SLUICE_PACKAGES: '' }
      shell(install.replace('/tarballs', packed), join(cwd, 'srv'), env)
      const installed = join(cwd, 'srv/node_modules')
      expect(textOf('Dockerfile')).toContain('PATH=/srv/sluice/node_modules/.bin:')
      const { version } = JSON.parse(readFileSync(join(root, 'packages/sluice/package.json'), 'utf8'))
      expect(shell(join(installed, '.bin/sluice --version'), cwd)).toBe(`${version}\n`)
      const program = `import { createSluice } from 'sluice'
        const sluice = await createSluice({})
        console.log((await sluice.fetch(new Request('http://sluice.test/docs/errors/unauthorized'))).status)
        await sluice.stop()`
      writeFileSync(join(cwd, 'srv/main.mjs'), program)
      expect(shell('node main.mjs', join(cwd, 'srv'))).toBe('200\n')
    } finally {
      rmSync(cwd, { recursive: true })
    }
  })

  for (const [file, command] of Object.entries(commands))
    it(`has a command in ${file} that serves, and keeps its data where the file lets it write`, async () => {
      expect(command.join(' ')).toContain('--data /var/lib/sluice')
      const cwd = mkdtempSync(join(tmpdir(), 'sluice-deploy-'))
      const workspace = join(cwd, 'workspace.yaml')
      writeFileSync(workspace, '{ id: shop, sources: [], destinations: [], connections: [] }')
      const args = command.map((arg) =>
        arg === '/var/lib/sluice' ? join(cwd, 'data') : arg === '/etc/sluice/workspace.yaml' ? workspace : arg,
      )
      const served = startCommand([...args, '--port', '0'], { cwd })
      try {
        const [, port] = await served.printed(/Serving on http:\/\/[\d.]+:(\d+)/)
        const probe = /127\.0\.0\.1:8080(\/\w+)/.exec(textOf('Dockerfile'))?.[1]
        expect((await fetch(`http://127.0.0.1:${port}${probe}`)).status).toBe(200)
      } finally {
        served.child.kill('SIGTERM')
        await served.ended
        rmSync(cwd, { recursive: true })
      }
    }, 30_000)
})
