export { allowManyListeners } from '#many-listeners'
