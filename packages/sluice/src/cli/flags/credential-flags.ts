import { readFile } from 'node:fs/promises'
import { isJsonObject } from '@sluice/core'
import { type Command, InvalidArgumentError } from 'commander'
import { CliError } from '../cli-error.ts'
import { repeatableOption } from './repeatable-option.ts'

export interface CredentialFlags {
  readonly credential?: readonly (readonly [name: string, value: string])[]
  readonly credentials?: string
}

/** Adds the flags with values of `getCredential(name)` to an offline command. */
export function withCredentialFlags(command: Command): Command {
  return command
    .addOption(
      repeatableOption(
        '--credential <name=value>',
        'value of getCredential(name) of user code; env:VARIABLE as value reads a variable, which others cannot see',
        pair,
      ),
    )
    .option('--credentials <file>', 'the same, from a JSON file: {"NAME": "VALUE"}')
}

/** Returns the values by name; those of `--credential` replace those of the file. @throws CliError */
export async function credentialsOf(flags: CredentialFlags): Promise<Readonly<Record<string, string>>> {
  const { credential = [], credentials: file } = flags
  return { ...(file === undefined ? {} : await readCredentials(file)), ...Object.fromEntries(credential.map(resolved)) }
}

function pair(text: string): readonly [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('expected NAME=VALUE, for example api_key=env:API_KEY')
  return [name, value]
}

function resolved([name, value]: readonly [string, string]): readonly [string, string] {
  const [, variable] = /^env:(.+)$/s.exec(value) ?? []
  if (variable === undefined) return [name, value]
  const found = process.env[variable]
  if (found === undefined) throw new CliError(`--credential ${name}: the variable ${variable} is not set`)
  return [name, found]
}

/** Messages name the file, and no content of it. */
async function readCredentials(file: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError(`--credentials: ${error.message}`)
  })
  const parsed = parsedOf(text)
  if (!isJsonObject(parsed) || !Object.values(parsed).every((value) => typeof value === 'string'))
    throw new CliError(`--credentials: ${file} must be a JSON object of texts, such as {"api_key": "…"}`)
  return parsed as Readonly<Record<string, string>>
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
