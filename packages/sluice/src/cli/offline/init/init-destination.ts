import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInDestinations } from '@sluice/destinations'
import { CliError } from '../../cli-error.ts'
import { packageFolder } from '../../package-folder.ts'
import { printLine } from '../../terminal/print-line.ts'
import { completedManifest, type OwnManifest, ownManifest } from './completed-manifest.ts'
import { checkoutNotice, ownPackages } from './own-packages.ts'

const template = fileURLToPath(new URL('template-destination', packageFolder))

const nameLengthMax = 50

/**
 * Runs `sluice init --destination`: writes a definition, its examples and their test.
 * @param name words in lower case joined by hyphens, such as `my-product`: the name of the files. The type is
 *   `MY_PRODUCT`, and the export `myProductDestination`.
 * @param folder relative to the current folder; created when missing.
 * @throws CliError when the name is not allowed, files would be overwritten, or the folder cannot be written.
 */
export async function initDestination(name: string, folder: string, isForced: boolean): Promise<void> {
  const type = typeOf(name)
  const target = resolve(folder)
  const templates = (await readdir(template)).sort()
  const named = (text: string): string => withName(text, name, type)
  const taken = templates.map(named).filter((file) => existsSync(join(target, file)))
  if (taken.length > 0 && !isForced)
    throw new CliError(
      `${taken.join(', ')} ${taken.length === 1 ? 'exists' : 'exist'} already; choose another folder, or overwrite with --force`,
    )
  const own = await ownManifest()
  const manifest = await destinationManifest(join(target, 'package.json'), own)
  try {
    await mkdir(target, { recursive: true })
    for (const file of templates)
      await writeFile(join(target, named(file)), named(await readFile(join(template, file), 'utf8')))
    await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(`${folder}: the destination cannot be written there (${code ?? message}); choose another folder`)
  }
  const where = relative(process.cwd(), target)
  printLine(['package.json', ...templates.map(named)].map((file) => `  ${join(where, file)}`).join('\n'))
  const notice = checkoutNotice(own)
  if (notice !== undefined) printLine(`\n${notice}`)
  printLine(`\nNow: ${where === '' ? '' : `cd ${where} && `}npm install && npm test`)
}

function typeOf(name: string): string {
  const given = `--destination ${JSON.stringify(name)}`
  if (name.length > nameLengthMax || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new CliError(
      `${given}: allowed: lower-case letters and digits in words joined by hyphens, starting with a letter, at most ${nameLengthMax} characters; for example my-product`,
    )
  const type = name.replaceAll('-', '_').toUpperCase()
  if (builtInDestinations.some((definition) => definition.type === type))
    throw new CliError(`${given}: ${type} is a built-in destination; allowed: any other name, for example my-${name}`)
  return type
}

/** Returns text of the template with the names of this destination. */
function withName(text: string, name: string, type: string): string {
  const words = name.replaceAll('-', ' ')
  return text
    .replaceAll('my-product', name)
    .replaceAll('MY_PRODUCT', type)
    .replaceAll(
      'myProduct',
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    )
    .replaceAll('My product', words.charAt(0).toUpperCase() + words.slice(1))
}

async function destinationManifest(file: string, own: OwnManifest) {
  const needed = { ...ownPackages(['destinations', 'sluice'], own), typebox: String(own.dependencies['typebox']) }
  return completedManifest(file, needed, 'node --test')
}
