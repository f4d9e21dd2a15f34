/** Exit status of a program that SIGPIPE ends, as shells report it. */
const brokenPipeStatus = 141

/**
 * Ends the process without a message when the reader of its output has gone, as in `sluice run … | head`. Must run
 * before anything is printed.
 */
export function endWithoutReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(brokenPipeStatus)
      throw error
    })
}
