import { Argument, Command } from 'commander'
import { bashCompletion } from './bash-completion.ts'
import { commandTree } from './command-tree.ts'
import { fishCompletion } from './fish-completion.ts'
import { zshCompletion } from './zsh-completion.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

/** `sluice completion`: prints a completion script for a shell. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script with which a shell completes commands, options and their values, also ids of a server')
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      `
Examples:
  source <(sluice completion bash)                                       # in ~/.bashrc
  source <(sluice completion zsh)                                        # in ~/.zshrc, after compinit
  sluice completion fish > ~/.config/fish/completions/sluice.fish`,
    )
    .action(async (shell: keyof typeof shells, _flags, command: Command) => {
      // Loaded when needed, so that the other commands start much faster.
      const { nativeDestinations } = await import('../../../workspace/known-destinations.ts')
      const types = nativeDestinations().map(({ type }) => type)
      process.stdout.write(shells[shell](commandTree(command.parent ?? command, types)))
    })
}
