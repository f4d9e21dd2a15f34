import type { Command, Option } from 'commander'

/** One option as shells complete it. */
export interface CompletedOption {
  /** `--port`, and `-h` where there is one. */
  readonly names: readonly string[]
  readonly description: string
  /** Possible values. Undefined for an option without a value; empty for any value, such as a file. */
  readonly values?: readonly string[]
}

/** One command as shells complete it. */
export interface CompletedCommand {
  /** Full name of the command: '' for the program itself, `dead-letters list` for a subcommand. */
  readonly path: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  /** Possible values of its argument; empty for any value, such as a file. */
  readonly values: readonly string[]
}

/**
 * Returns all commands of a program, itself first. Scripts contain them, so that completion does not start the program.
 */
export function commandTree(program: Command, path = ''): readonly CompletedCommand[] {
  const visible = program.commands
  const own: CompletedCommand = {
    path,
    description: firstSentence(program.description()),
    options: [
      ...program.options.filter(({ hidden }) => !hidden).map(completedOption),
      { names: ['--help', '-h'], description: 'show help' },
    ],
    commands: visible.map((command) => ({ name: command.name(), description: firstSentence(command.description()) })),
    values: program.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }
  return [own, ...visible.flatMap((command) => commandTree(command, `${path} ${command.name()}`.trim()))]
}

function completedOption({ long, short, description, argChoices, required, optional }: Option): CompletedOption {
  const names = [long, short].filter((name) => name !== undefined)
  const values = required || optional ? { values: argChoices ?? [] } : {}
  return { names, description: firstSentence(description), ...values }
}

/** Returns the first sentence of a description, because shells show one line. */
function firstSentence(text: string): string {
  return text.split(/[\n;]/, 1)[0]?.trim() ?? ''
}
