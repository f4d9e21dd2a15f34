import type { Argument, Command, Option } from 'commander'
import { completedValuesOf, type ServerList } from '../../flags/completed-values.ts'

/** One option as shells complete it. */
export interface CompletedOption {
  /** `--port`, and `-h` where there is one. */
  readonly names: readonly string[]
  readonly description: string
  /** Possible values. Undefined for an option without a value; empty for any value, such as a file. */
  readonly values?: readonly string[]
  /** Lists of the server that have further values. */
  readonly lists: readonly ServerList[]
}

/** One command as shells complete it. */
export interface CompletedCommand {
  /** Full name of the command: '' for the program itself, `dead-letters list` for a subcommand. */
  readonly path: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  /** Possible values of its arguments; empty for any value, such as a file. */
  readonly values: readonly string[]
  /** Lists of the server that have further values. */
  readonly lists: readonly ServerList[]
}

/**
 * Returns all commands of a program, itself first. Scripts contain them, so that completion does not start the program,
 * except for the ids of a server.
 *
 * @param types destination types.
 */
export function commandTree(program: Command, types: readonly string[], path = ''): readonly CompletedCommand[] {
  const shown = new Set(program.createHelp().visibleCommands(program))
  const visible = program.commands.filter((command) => shown.has(command))
  const args = program.registeredArguments.map((argument) => valuesOf(argument, types))
  const own: CompletedCommand = {
    path,
    description: firstSentence(program.description()),
    options: [
      ...program.options.filter(({ hidden }) => !hidden).map((option) => completedOption(option, types)),
      { names: ['--help', '-h'], description: 'show help', lists: [] },
    ],
    commands: visible.map((command) => ({ name: command.name(), description: firstSentence(command.description()) })),
    values: args.flatMap(({ values }) => values),
    lists: args.flatMap(({ lists }) => lists),
  }
  return [own, ...visible.flatMap((command) => commandTree(command, types, `${path} ${command.name()}`.trim()))]
}

function completedOption(option: Option, types: readonly string[]): CompletedOption {
  const { long, short, description, required, optional } = option
  const names = [long, short].filter((name) => name !== undefined)
  const { values, lists } = valuesOf(option, types)
  return { names, description: firstSentence(description), values: required || optional ? values : undefined, lists }
}

function valuesOf(of: Option | Argument, types: readonly string[]) {
  const completed = completedValuesOf(of)
  if (completed === 'destination types') return { values: types, lists: [] }
  return { values: of.argChoices ?? [], lists: completed === undefined ? [] : [completed] }
}

/** Returns the first sentence of a description, because shells show one line. */
function firstSentence(text: string): string {
  return text.split(/[\n;]/, 1)[0]?.trim() ?? ''
}

/** Returns the shell command that prints the ids in lists of the server. */
export function idsCommand(lists: readonly ServerList[]): string {
  return lists.map((list) => `sluice complete-ids ${list} 2>/dev/null`).join('; ')
}
