"use strict";
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    var desc = Object.getOwnPropertyDescriptor(m, k);
    if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
      desc = { enumerable: true, get: function() { return m[k]; } };
    }
    Object.defineProperty(o, k2, desc);
}) : (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    o[k2] = m[k];
}));
var __exportStar = (this && this.__exportStar) || function(m, exports) {
    for (var p in m) if (p !== "default" && !Object.prototype.hasOwnProperty.call(exports, p)) __createBinding(exports, m, p);
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.Memory = exports.MnemeError = exports.Episode = exports.Client = void 0;
/** The memory of AI agents: recall what past runs taught, record what this one does, and learn from how it ends. */
var client_js_1 = require("./client.js");
Object.defineProperty(exports, "Client", { enumerable: true, get: function () { return client_js_1.Client; } });
var episode_js_1 = require("./episode.js");
Object.defineProperty(exports, "Episode", { enumerable: true, get: function () { return episode_js_1.Episode; } });
var errors_js_1 = require("./errors.js");
Object.defineProperty(exports, "MnemeError", { enumerable: true, get: function () { return errors_js_1.MnemeError; } });
__exportStar(require("./graphql.js"), exports);
var memory_js_1 = require("./memory.js");
Object.defineProperty(exports, "Memory", { enumerable: true, get: function () { return memory_js_1.Memory; } });
