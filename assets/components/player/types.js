// The types that the modules of the player share.

/**
 * @typedef {object} RunHeader one run
 * @property {string} run
 * @property {string} title
 * @property {number} expected number of steps
 * @property {boolean} running
 * @property {string} formula
 * @property {number} beta of the means
 * @property {number} weights_beta of W, if the player has no slider for β
 * @property {import("../shared/weights.js").Kernel} [kernel]
 * @property {number} sigma [px]
 * @property {number} sent number of steps that have been sent to the page
 */
/**
 * @typedef {object} Header the data that Python sends in addition to the frames; ia_engine/figures/player.py describes the fields
 * @property {string} key
 * @property {RunHeader[]} runs
 * @property {string[]} names
 * @property {number[]} numbers
 * @property {number[]} labels
 * @property {string[]} classes
 * @property {Record<string, number[]>} orders
 * @property {string} order
 * @property {[number, number]} beta_range
 * @property {number} sigma
 * @property {number} total
 * @property {[number, number] | null} pair
 * @property {number | null} pairs_received
 * @property {string} poses
 * @property {number} start
 * @property {number} jump
 * @property {boolean} autoplay
 * @property {boolean} loop
 * @property {string} replaces
 * @property {boolean} means_pending
 * @property {string} settings_pending
 * @property {string} replaced_settings
 * @property {boolean} reports_playing
 * @property {boolean} playing_reported
 * @property {boolean} has_sliders false if β is set by a control of the page
 * @property {boolean} advises true if Python sends advice on β
 */
/** @typedef {{ i: number, j: number }} Pair image i, mean j */
/**
 * @typedef {object} Groups
 * @property {ArrayLike<number>} ids the group of every image
 * @property {string[]} names
 * @property {"classes" | "clusters"} kind
 * @property {string} key changes with the groups
 */
/** @typedef {{ indices: number[], key: string }} Order */
/** @typedef {import("../shared/colours.js").Theme & { log: boolean, map: Uint32Array, ceiling?: number }} Look */
/**
 * @typedef {object} Scene values that all runs share at one moment, with the β of the run
 * @property {Header} header
 * @property {import("./clock.js").Moment} moment
 * @property {number} places changes when the player may have moved on the page
 * @property {number} beta
 * @property {number[]} order
 * @property {string} orderKey
 * @property {Groups | undefined} groups
 * @property {Look} look
 * @property {Pair | undefined} cell
 * @property {boolean} isPinned
 * @property {number} aligned 0: every image in its own pose, 1: in the common pose
 * @property {number} ratio device pixels per CSS pixel
 * @property {string[]} lit highlighted terms
 * @property {import("./ghost.js").Ghost | undefined} ghost the result that this run has replaced
 * @property {number[]} released the β of each run when a slider was last released
 */

export {};
