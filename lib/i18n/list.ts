import type { Words } from "./words";

/** Words of the list of conversations, the inbox of approvals, notifications and the password banner. */
export const listWords = {
  "list.options": ["List options", "列表选项"],
  "list.group_by": ["Group by", "分组方式"],
  "list.by_date": ["Date", "日期"],
  "list.by_workspace": ["Workspace", "工作区"],
  "list.by_agent": ["Agent", "智能体"],
  "list.all_seen": ["Mark all as read", "全部标为已读"],
  "list.pinned": ["Pinned", "已置顶"],
  "list.pin": ["Pin", "置顶"],
  "list.unpin": ["Unpin", "取消置顶"],
  "list.mark_unread": ["Mark as unread", "标为未读"],
  "list.unread": ["new", "有新内容"],
  "list.temporary": ["Temporary folders", "临时文件夹"],
  "list.subagent": ["Subagents", "子智能体"],
  "list.schedule": ["Scheduled", "计划任务"],
  "list.archived": ["Archived", "已归档"],
  "list.results": ["Titles that fit", "匹配的标题"],
  "list.searching": ["Searching", "搜索中"],

  "notify.turn_on": ["Notify me", "开启通知"],
  "notify.turn_off": ["Stop notifying me", "关闭通知"],
  "notify.detail": ["When something waits or ends while I look elsewhere", "离开此页时，有等待或结束的任务会通知"],
  "notify.unavailable": ["Not allowed in this browser", "此浏览器不允许通知"],
  "notify.approval": ["Waits for your approval", "等待您的审批"],
  "notify.ended": ["Has ended", "已结束"],

  "inbox.title": ["Approvals", "审批"],
  "inbox.none": ["Nothing waits for a decision", "没有等待决定的操作"],
  "inbox.none_body": [
    "Calls that an Agent may not make without asking appear here, from all conversations of this Project.",
    "智能体需要询问才能执行的操作会显示在这里，包含此项目的所有会话。",
  ],
  "inbox.failed": ["The approvals could not be loaded", "无法加载审批"],
  "inbox.open": ["Open the conversation", "打开会话"],
  "inbox.done": ["Decided here", "已在此处理"],

  "password.initial": [
    "Your password was chosen by somebody else. Choose one that only you know.",
    "您的密码由他人设置，请改为只有您知道的密码。",
  ],
  "password.change": ["Change password", "修改密码"],
  "password.current": ["Current password", "当前密码"],
  "password.next": ["New password", "新密码"],
  "password.rule": ["At least 8 characters.", "至少 8 个字符。"],
  "password.changed": ["Password changed. Other sign-ins were ended.", "密码已修改，其他登录已失效。"],
} as const satisfies Words;
