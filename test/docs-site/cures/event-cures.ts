import type { ErrorCode } from '@sluice/core'

/** What to do about each way an event can fail. The causes are in the code: `errorTraits` of @sluice/core. */
export const eventCures: Readonly<Record<ErrorCode, string>> = {
  'stage.broken':
    'The message names the stage, or the destination whose mapping threw. If it is your own, mend it; otherwise report a bug. Then replay the dead letters.',
  'stage.crashed':
    'See the log for why the process ended, most often memory. Replay the dead letter alone, by its id; if the process ends again, keep the event and report a bug.',
  'stage.failed': 'The message is from your own stage. Change the stage or what is sent, then replay the dead letters.',
  'transform.threw':
    'The message has the line. Run the event with `sluice test` or in the studio, publish a mended version, and replay the dead letters: it runs on them.',
  'transform.load':
    'The message names the line or the missing import. Publish a version that loads, with the libraries it imports; then replay the dead letters.',
  'transform.output':
    'Return an event, a list of at most 100 events, or nothing to drop it, within 4 MiB. The rules are in [User code](../behaviour/user-code.md#returned-values).',
  'transform.timeout':
    'Look for a loop that does not end, or a slow `fetch`. `sluice bench` shows where the time goes. Patterns belong to the [top level](../behaviour/user-code.md#fast-regular-expressions). The limits are [options](options.md), `--event-time` and `--async-time`.',
  'transform.memory':
    'Keep less per event: no caches that grow in the module, no copies of large arrays. The limit is an [option](options.md), `--memory`.',
  'transform.stack':
    'Replace the recursion by a loop, or bound its depth. The event itself may be nested too deeply. The limit is an [option](options.md), `--stack`.',
  'destination.settings':
    'Change the settings that the message names; then replay the dead letters. With an account, see whether its tokens are still valid.',
  'destination.event':
    'Send what the message names, add it in a transformation, or drop such events there. The page of the [destination](destinations/index.md) says what it needs.',
  'destination.gone':
    'Nothing, if the destination was meant to go. Otherwise create one under the same id, and replay the dead letters.',
  'deliver.refused':
    'Read the reply in the details. Mend credentials or settings of the destination, or the event, and replay the dead letters.',
  'deliver.unavailable':
    'Nothing, as long as attempts are left: it is sent again by itself. After the last one, see whether the address can be reached and the product works, then replay the dead letters. A destination that is paused reports the same to `process`.',
}
