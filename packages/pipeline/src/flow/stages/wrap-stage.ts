import type { Stage } from '@sluice/core'

/** Returns a stage with the same name that runs `run`, which usually runs the given stage and does something else. */
export function wrapStage<In, Out>(stage: Stage<In, Out>, run: Stage<In, Out>['run']): Stage<In, Out> {
  return { name: stage.name, run }
}
