import type { Words } from "./words";

/** Words of the page that readers of a share link see: rendered on the server, never in the browser's dictionary. */
export const sharePageWords = {
  frozen: ["Frozen copy of {at}", "{at} 的固定副本"],
  turns: ["{count} turn|{count} turns", "{count} 轮对话"],
  by: ["shared by {name}", "由 {name} 分享"],
  lead: [
    "This is what was chosen from a conversation. It does not change, and nothing can be written here.",
    "这是从会话中选出的内容，不会再变化，也不能在此输入。",
  ],
  marks: [
    "‹secret›, ‹path›, ‹name› and the like stand for what was taken out before this was shared.",
    "‹secret›、‹path›、‹name› 等标记表示分享前已去除的内容。",
  ],
  turn: ["Turn {number}", "第 {number} 轮"],
  prompt: ["Prompt", "提问"],
  prompt_by: ["Prompt by {name}", "{name} 的提问"],
  from_file: ["{name}, from an imported file", "{name}（来自导入的文件）"],
  answer: ["Answer", "回答"],
  thinking: ["Thinking", "思考过程"],
  tool: ["Tool {name}", "工具 {name}"],
  arguments: ["Arguments", "参数"],
  output: ["Output", "输出"],
  left_out: [
    "{count} picture or file is not part of this copy|{count} pictures or files are not part of this copy",
    "{count} 个图片或文件不在此副本中",
  ],
  picture: ["A picture is not part of this copy", "一张图片不在此副本中"],
  stopped: ["Stopped before it was finished", "在完成之前被停止"],
  skip: ["Skip to the conversation", "跳到会话内容"],
  gone_title: ["Not found", "未找到"],
  gone: [
    "There is nothing at this address: the link is wrong, has expired or was withdrawn.",
    "此地址没有内容：链接有误、已过期或已被撤回。",
  ],
} satisfies Words;
