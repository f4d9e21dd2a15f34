import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failure, run } from './command.ts'
import { type ReleasedPackage, releasedPackages } from './manifests.ts'

export type PackageManager = 'npm' | 'pnpm' | 'yarn'

export interface Settings {
  /** Whether the reports of public types are replaced. */
  readonly isWriting: boolean
  /** Commit or branch that the public types are compared with. */
  readonly since: string
  /** Address of the repository, where neither the CI nor a remote of the checkout names it. */
  readonly repository: string | undefined
}

const yarn = 'yarn@1.22.22'

/** What several steps need, made when a first one asks for it. */
export class Workbench {
  readonly root: string
  readonly settings: Settings
  readonly packages: readonly ReleasedPackage[]
  /** Removed at the end. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-release-')))
  readonly #progress: (text: string) => void
  readonly #projects = new Map<PackageManager, Promise<string>>()
  #tarballs: Promise<ReadonlyMap<string, string>> | undefined

  /** @param progress receives one line per long action. */
  constructor(root: string, settings: Settings, progress: (text: string) => void) {
    this.root = root
    this.settings = settings
    this.packages = releasedPackages(root)
    this.#progress = progress
  }

  /** Packs all packages as for a release. Returns the files by the names of the packages. */
  tarballs(): Promise<ReadonlyMap<string, string>> {
    this.#tarballs ??= this.#pack()
    return this.#tarballs
  }

  /**
   * Installs `sluice` and the packages its examples use into an empty project. Returns its folder.
   * @throws Error when the package manager fails.
   */
  project(manager: PackageManager): Promise<string> {
    let project = this.#projects.get(manager)
    if (project === undefined) {
      project = this.#install(manager)
      this.#projects.set(manager, project)
    }
    return project
  }

  /** Returns an empty folder with the packages that npm installed. */
  async copyOfProject(name: string): Promise<string> {
    const folder = join(this.folder, name)
    cpSync(await this.project('npm'), folder, { recursive: true, verbatimSymlinks: true })
    return folder
  }

  /** The environment in which packages are packed. */
  get env(): NodeJS.ProcessEnv {
    const { repository } = this.settings
    return { ...process.env, ...(repository === undefined ? {} : { SLUICE_REPOSITORY: repository }) }
  }

  get packageManager(): string {
    return JSON.parse(readFileSync(join(this.root, 'package.json'), 'utf8')).packageManager
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #pack(): Promise<ReadonlyMap<string, string>> {
    this.#progress('packing all packages')
    const folder = join(this.folder, 'packed')
    const args = ['--yes', this.packageManager, '-r', '--filter', './packages/*', 'pack', '--pack-destination', folder]
    const problem = failure('pnpm pack', await run('npx', args, { cwd: this.root, env: this.env }))
    if (problem !== undefined) throw new Error(problem)
    const files = new Set(readdirSync(folder))
    return new Map(
      this.packages.map(({ manifest: { name, version } }) => {
        const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
        if (!files.has(file)) throw new Error(`${name} was not packed: there is no ${file}`)
        return [name, join(folder, file)]
      }),
    )
  }

  async #install(manager: PackageManager): Promise<string> {
    const tarballs = await this.tarballs()
    this.#progress(`installing into an empty project with ${manager}`)
    const folder = join(this.folder, manager)
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify(projectManifest(tarballs, manager)))
    const [command, args] = installCommand(manager, this.packageManager)
    const problem = failure(`${manager} install`, await run(command, args, { cwd: folder }))
    if (problem !== undefined) throw new Error(problem)
    return folder
  }
}

/** The registry does not have the new versions: the tarballs stand for all of them, dependencies of others included. */
function projectManifest(tarballs: ReadonlyMap<string, string>, manager: PackageManager): object {
  const all = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]))
  const used = ['sluice', '@sluice/core', '@sluice/storage'].map((name) => [name, all[name]])
  const replaced = { npm: { overrides: all }, pnpm: { pnpm: { overrides: all } }, yarn: { resolutions: all } }
  return {
    name: 'release-check',
    version: '0.0.0',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(used),
    ...replaced[manager],
  }
}

/** Without install scripts: what a minimal image has, where an older Node cannot compile the driver of SQLite. */
function installCommand(manager: PackageManager, pnpm: string): [string, readonly string[]] {
  if (manager === 'npm') return ['npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']]
  if (manager === 'pnpm') return ['npx', ['--yes', pnpm, 'install', '--ignore-scripts', '--prefer-offline']]
  // It skips an optional package whose `engines` leave out this Node, but refuses one that `resolutions` name.
  const flags = ['--ignore-engines', '--ignore-scripts', '--prefer-offline', '--non-interactive']
  return ['npx', ['--yes', yarn, 'install', ...flags]]
}
