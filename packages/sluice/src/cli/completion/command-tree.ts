import type { Command, Option } from 'commander'

/** One option as shells complete it. */
export interface CompletedOption {
  /** `--port`, and `-h` where there is one. */
  readonly names: readonly string[]
  readonly description: string
  /** Undefined for an option without a value; empty where any value, a file among others, may follow. */
  readonly values?: readonly string[]
}

/** One command as shells complete it. */
export interface CompletedCommand {
  /** Words in front of it: '' for the program itself, `dead-letters list` for a command below another. */
  readonly path: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  /** What its argument may be; empty where it is a file or anything else. */
  readonly values: readonly string[]
}

/** All commands of a program, the program first. Scripts are made of it once, so that completing needs no start of it. */
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

/** Shells show one line. */
function firstSentence(text: string): string {
  return text.split(/[\n;]/, 1)[0]?.trim() ?? ''
}
